import type { StubResponse } from "../../../service";
import { invalid, JSON_TYPE, serverError } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import type { Switches } from "../settings";
import { start } from "./initialization";
import type { RekeyAttempt } from "./records";
import { rotationEndpoints } from "./rotation";
import { authorize } from "./update";
import { restartVerification, verificationStatus, verify } from "./verification";

/** The endpoints of the recovery key. OpenBao's default listener lacks the unauthenticated ones. */
export function recoveryEndpoints({ rekey }: Pick<Switches, "rekey">): readonly Endpoint[] {
  return [
    ...(rekey === "authenticated" ? [] : rekeyEndpoints),
    ...(rekey === "unauthenticated" ? [] : rotationEndpoints),
    backupEndpoint,
  ];
}

const backupEndpoint: Endpoint = {
  path: "sys/rekey/recovery-key-backup",
  read: ifSupported(readBackup),
  remove: ifSupported(deleteBackup),
};

/** A1. Recovery-key rekey (only for seals that support recovery keys). */
const rekeyEndpoints: readonly Endpoint[] = [
  {
    path: "sys/rekey-recovery-key/init",
    read: ifSupported(status),
    write: ifSupported((operation) => {
      start(operation);
      return status(operation);
    }),
    remove: ifSupported(cancel),
  },
  {
    path: "sys/rekey-recovery-key/update",
    write: ifSupported((operation) => raw(authorize(operation)) ?? status(operation)),
  },
  {
    path: "sys/rekey-recovery-key/verify",
    read: ifSupported((operation) => json(verificationStatus(operation))),
    write: ifSupported((operation) => json(verify(operation))),
    remove: ifSupported((operation) => json(restartVerification(operation))),
  },
];

function ifSupported(handle: (operation: Operation) => StubResponse): (operation: Operation) => StubResponse {
  return (operation) => {
    if (!operation.switches.recoveryKeysSupported) throw invalid("recovery rekeying not supported");
    return handle(operation);
  };
}

/** The section "Rekey status (read init)". */
function status(operation: Operation): StubResponse {
  const { attempt, threshold } = operation.world.recovery;
  return json({
    started: attempt !== null,
    nonce: attempt?.nonce ?? "",
    t: attempt?.newThreshold ?? 0,
    n: attempt?.newShares ?? 0,
    ...progress(operation),
    required: threshold,
    ...(attempt === null || attempt.pgpKeys.length === 0
      ? noFingerprints(operation)
      : { pgp_fingerprints: attempt.pgpKeys.map(({ fingerprint }) => fingerprint) }),
    backup: attempt?.isBackedUp ?? false,
    verification_required: attempt?.needsVerification ?? false,
  });
}

/** Vault drops the shares of the current key once they are complete, and returns the verification's nonce. */
function progress({ world, switches }: Operation): object {
  const { attempt } = world.recovery;
  if (switches.dialect === "real" && attempt?.verification)
    return { progress: 0, verification_nonce: attempt.verification.nonce };
  return { progress: attempt?.given.length ?? 0 };
}

/** Vault returns null for absent fingerprints. */
function noFingerprints({ switches }: Operation): object {
  return switches.dialect === "real" ? { pgp_fingerprints: null } : {};
}

/** "Settings and progress cleared"; "cancel may need the nonce in its body for the first ten minutes". */
function cancel({ world, fields, switches, request }: Operation): StubResponse {
  const { attempt } = world.recovery;
  if (attempt !== null && switches.cancelNeedsNonce && isYoung(attempt, request.now)) {
    if (fields.string("nonce") !== attempt.nonce)
      throw invalid("invalid or missing nonce to cancel the rekey");
  }
  world.recovery = { ...world.recovery, attempt: null };
  return NO_CONTENT;
}

function isYoung({ startedAt }: RekeyAttempt, now: number): boolean {
  return now < startedAt + 600_000;
}

/**
 * Returns the fields both in the envelope's data and at the top level. The specification has one share per fingerprint;
 * Vault returns a list.
 */
function readBackup(operation: Operation): StubResponse {
  const { backup } = operation.world.recovery;
  if (backup === null) throw invalid("no backed-up keys found");
  // A rotation stores its backup encrypted, and this endpoint does not decrypt it.
  if (operation.switches.rekey === "authenticated") throw serverError(UNREADABLE);
  const isOne =
    operation.switches.dialect === "neutral" &&
    Object.values(backup.keys).every(({ length }) => length === 1);
  const keys = isOne
    ? Object.fromEntries(Object.entries(backup.keys).map(([print, [share]]) => [print, share]))
    : backup.keys;
  const enveloped = answer(operation, { ...backup, keys });
  return { ...enveloped, body: { ...Object(enveloped.body), ...backup, keys } };
}

const UNREADABLE = "unable to look up backed-up keys: error decoding backup keys: invalid character";

function deleteBackup({ world }: Operation): StubResponse {
  world.recovery = { ...world.recovery, backup: null };
  return NO_CONTENT;
}

/** Rekey responses have no envelope. */
function json(body: object): StubResponse {
  return { status: 200, headers: JSON_TYPE, body };
}

function raw(body: object | undefined): StubResponse | undefined {
  return body === undefined ? undefined : json(body);
}
