import { invalid, Refusal } from "../errors";
import type { Operation } from "../operation";
import { encryptShare } from "./pgp";
import type { Recovery, RekeyAttempt } from "./records";
import { misfit, readShare } from "./shares";

/**
 * POST update: adds a share of the current key. Returns undefined while shares are missing, then the new shares. If
 * verification was requested, the rotation waits for it.
 */
export function authorize(operation: Operation): object | undefined {
  const { world, fields, switches } = operation;
  const { recovery } = world;
  const { attempt } = recovery;
  if (attempt === null)
    throw invalid(switches.dialect === "real" ? "no recovery rekey in progress" : "no rekey in progress");
  if (attempt.verification !== null) {
    throw invalid(
      `rekey operation already finished; verification must be performed; nonce for the verification operation is "${attempt.verification.nonce}"`,
    );
  }
  const given = [...attempt.given, readShare(fields, attempt.nonce, attempt.given)];
  if (given.length < recovery.threshold) {
    world.recovery = { ...recovery, attempt: { ...attempt, given } };
    return undefined;
  }
  const none = misfit(given);
  if (none !== undefined || given.some((share) => !recovery.shares.includes(share))) {
    // Drops every share, but keeps the attempt with its nonce; the server cannot determine which share is wrong.
    world.recovery = { ...recovery, attempt: { ...attempt, given: [] } };
    throw none === undefined
      ? new Refusal(400, [`recovery key verification failed: ${NO_MATCH}`], true)
      : new Refusal(500, [`failed to compute recovery key: ${none}`], true);
  }
  return handOut(operation, attempt);
}

/** Creates the new shares, and backs them up before their verification. */
export function handOut({ world, randomness }: Operation, attempt: RekeyAttempt): object {
  const bytes = attempt.newShares === 1 ? 32 : 33;
  const shares = Array.from({ length: attempt.newShares }, () => randomness.bytes(bytes).toString("base64"));
  const verificationNonce = attempt.needsVerification ? randomness.uuid() : undefined;
  const backedUp = { ...world.recovery, backup: backupOf(attempt, shares) ?? world.recovery.backup };
  world.recovery =
    verificationNonce === undefined
      ? recoveryAfter(backedUp, attempt, shares)
      : {
          ...backedUp,
          attempt: { ...attempt, given: [], verification: { nonce: verificationNonce, shares, given: [] } },
        };
  return renderCompletion(attempt, shares, verificationNonce);
}

const NO_MATCH = "recovery key does not match submitted values";

/** The recovery key after the actual rotation. */
export function recoveryAfter(
  recovery: Recovery,
  attempt: RekeyAttempt,
  shares: readonly string[],
): Recovery {
  return {
    shares,
    threshold: attempt.newThreshold,
    attempt: null,
    backup: recovery.backup,
  };
}

function backupOf(attempt: RekeyAttempt, shares: readonly string[]): Recovery["backup"] {
  if (!attempt.isBackedUp) return null;
  const keys: Record<string, string[]> = {};
  for (const [index, key] of attempt.pgpKeys.entries()) {
    const own = keys[key.fingerprint] ?? [];
    keys[key.fingerprint] = [...own, encryptShare(shares[index] ?? "", key).toString("hex")];
  }
  return { nonce: attempt.nonce, keys };
}

function renderCompletion(
  attempt: RekeyAttempt,
  shares: readonly string[],
  verificationNonce: string | undefined,
): object {
  const handed = shares.map((share, index) => {
    const key = attempt.pgpKeys[index];
    return key === undefined ? Buffer.from(share, "base64") : encryptShare(share, key);
  });
  return {
    complete: true,
    keys: handed.map((share) => share.toString("hex")),
    keys_base64: handed.map((share) => share.toString("base64")),
    nonce: attempt.nonce,
    pgp_fingerprints: attempt.pgpKeys.length === 0 ? null : attempt.pgpKeys.map((key) => key.fingerprint),
    backup: attempt.isBackedUp,
    verification_required: attempt.needsVerification,
    ...(verificationNonce === undefined ? {} : { verification_nonce: verificationNonce }),
  };
}
