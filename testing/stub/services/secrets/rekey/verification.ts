import { invalid, Refusal } from "../errors";
import type { Operation } from "../operation";
import type { RekeyAttempt, Verification } from "./records";
import { misfit, readShare } from "./shares";
import { recoveryAfter } from "./update";

/**
 * GET verify: "`n` new shares generated, `t` threshold needed, `progress` new keys provided so far". The nonce is empty
 * until the new shares exist; throws a 400 only without a rekey.
 */
export function verificationStatus({ world, switches }: Operation): object {
  const { attempt } = world.recovery;
  if (attempt === null) throw invalid("no rekey configuration found");
  return {
    nonce: attempt.verification?.nonce ?? "",
    ...(switches.dialect === "real" && { started: attempt.verification !== null }),
    t: attempt.newThreshold,
    n: attempt.newShares,
    progress: attempt.verification?.given.length ?? 0,
  };
}

/**
 * POST verify: adds a share of the new key; the share that reaches the threshold performs the actual rotation.
 * @param takesTwice count the same share again, as OpenBao's rotation does
 */
export function verify(operation: Operation, { takesTwice = false } = {}): object {
  const { world, fields } = operation;
  const { attempt, verification } = underVerification(operation);
  const before = takesTwice ? [] : verification.given;
  const given = [...verification.given, readShare(fields, verification.nonce, before, "verify")];
  if (given.length < attempt.newThreshold) {
    store(operation, attempt, { ...verification, given });
    return verificationStatus(operation);
  }
  const none = misfit(given);
  if (none !== undefined || given.some((share) => !verification.shares.includes(share))) {
    store(operation, attempt, { ...verification, nonce: operation.randomness.uuid(), given: [] });
    throw none === undefined
      ? new Refusal(400, ["rekey verification failed; incorrect key shares supplied"], true)
      : new Refusal(500, [`failed to compute key for verification: ${none}`], true);
  }
  world.recovery = recoveryAfter(world.recovery, attempt, verification.shares);
  return { nonce: verification.nonce, complete: true };
}

/** DELETE verify: "Progress reset to 0, new nonce; rekey attempt kept". */
export function restartVerification(operation: Operation): object {
  const { attempt, verification } = underVerification(operation);
  store(operation, attempt, { ...verification, nonce: operation.randomness.uuid(), given: [] });
  return verificationStatus(operation);
}

function store({ world }: Operation, attempt: RekeyAttempt, verification: Verification): void {
  world.recovery = { ...world.recovery, attempt: { ...attempt, verification } };
}

function underVerification({ world }: Operation): { attempt: RekeyAttempt; verification: Verification } {
  const { attempt } = world.recovery;
  if (attempt === null || attempt.verification === null) throw invalid("no rekey verification in progress");
  return { attempt, verification: attempt.verification };
}
