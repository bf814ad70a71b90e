import type { StubResponse } from "../../../service";
import { invalid, Refusal } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import { start } from "./initialization";
import { authorize, handOut } from "./update";
import { restartVerification, verificationStatus, verify } from "./verification";

/**
 * The rotation of the recovery key, which requires a token. The procedure is that of a rekey, with OpenBao's envelope and
 * messages (source: OpenBao 2.6.2, `vault/logical_system_rotate.go` and `vault/rotate.go`).
 */
export const rotationEndpoints: readonly Endpoint[] = [
  {
    path: "sys/rotate/recovery/init",
    read: withApiMessages(status),
    write: withApiMessages((operation) => {
      if (!operation.switches.recoveryKeysSupported) throw invalid("recovery keys not supported");
      start(operation);
      return startWithoutShares(operation) ?? status(operation);
    }),
    remove: withApiMessages(({ world }) => {
      world.recovery = { ...world.recovery, attempt: null };
      return NO_CONTENT;
    }),
  },
  {
    path: "sys/rotate/recovery/update",
    write: withApiMessages((operation) => {
      const shares = authorize(operation);
      return shares ? answer(operation, { ...UNVERIFIED, ...shares }) : status(operation);
    }),
  },
  {
    path: "sys/rotate/recovery/verify",
    read: withApiMessages(verification),
    write: withApiMessages((operation) => {
      const done = verify(operation, { takesTwice: true });
      return "complete" in done ? answer(operation, done) : verification(operation);
    }),
    remove: withApiMessages(restart),
  },
  {
    path: "sys/rotate/recovery/backup",
    read: withApiMessages((operation) => {
      const { backup } = operation.world.recovery;
      if (backup === null) throw invalid("no backed-up keys found");
      return answer(operation, backup);
    }),
    remove: withApiMessages(({ world }) => {
      world.recovery = { ...world.recovery, backup: null };
      return NO_CONTENT;
    }),
  },
];

/** Without an attempt the status has four members; it contains fingerprints and the backup only if there are PGP keys. */
function status(operation: Operation): StubResponse {
  if (!operation.switches.recoveryKeysSupported)
    throw invalid("unable to look up config: recovery not supported");
  const { attempt, threshold } = operation.world.recovery;
  if (attempt === null) return answer(operation, { started: false, t: 0, n: 0, required: threshold });
  const { pgpKeys, isBackedUp } = attempt;
  return answer(operation, {
    started: true,
    nonce: attempt.nonce,
    t: attempt.newThreshold,
    n: attempt.newShares,
    progress: attempt.given.length,
    required: threshold,
    verification_required: attempt.needsVerification,
    verification_nonce: attempt.verification?.nonce ?? attempt.idleNonce ?? "",
    ...(pgpKeys.length > 0 && {
      pgp_fingerprints: pgpKeys.map(({ fingerprint }) => fingerprint),
      backup: isBackedUp,
    }),
  });
}

/**
 * A server initialized without a recovery key has no shares to ask for: the start returns the new shares immediately, and
 * the response has no nonce.
 */
function startWithoutShares(operation: Operation): StubResponse | undefined {
  const { attempt, threshold } = operation.world.recovery;
  if (attempt === null || threshold > 0) return undefined;
  const handedOut = { ...UNVERIFIED, ...handOut(operation, attempt), nonce: undefined };
  return answer(operation, { ...handedOut, t: attempt.newThreshold, n: attempt.newShares });
}

/** The members of every response with new shares. */
const UNVERIFIED = { verification_nonce: "" };

function verification(operation: Operation): StubResponse {
  const { attempt } = operation.world.recovery;
  const shown = verificationStatus(operation);
  const nonce = attempt?.verification?.nonce ?? attempt?.idleNonce ?? "";
  return answer(operation, { ...shown, nonce, started: (attempt?.verification ?? null) !== null });
}

/** A restart creates a nonce even if the new shares do not exist yet. */
function restart(operation: Operation): StubResponse {
  const { world, randomness } = operation;
  const { attempt } = world.recovery;
  if (attempt?.verification) restartVerification(operation);
  else if (attempt) {
    world.recovery = { ...world.recovery, attempt: { ...attempt, idleNonce: randomness.uuid() } };
  }
  return verification(operation);
}

/** Converts errors to this API's messages; its only error status is 400. */
function withApiMessages(
  handle: (operation: Operation) => StubResponse,
): (operation: Operation) => StubResponse {
  return (operation) => {
    try {
      return handle(operation);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(400, error.messages.map(inOwnWords), error.isKept);
    }
  };
}

const OWN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/nonce for this rekey operation is/, "nonce for rotation is"],
  [/during this rekey operation/, "during this rotation"],
  [/^rekey operation already finished/, "rotation already finished"],
  [/^no (recovery )?rekey in progress/, "no rotation in progress"],
  [/^failed to compute recovery key: (.*)/, `failed to compute key: ${formatError("$1")}`],
  [/^(failed to compute key for verification): (.*)/, `$1: ${formatError("$2")}`],
  [/^(invalid recovery configuration): (.*)/, `$1: ${formatError("$2")}`],
  [/^'key' must be specified in request body as JSON/, "missing required field 'key'"],
  [/\brekey\b/, "rotation"],
];

/** Go's output for an error that a format string cannot print. */
function formatError(error: string): string {
  return `%!w(*errors.errorString=&{${error}})`;
}

function inOwnWords(message: string): string {
  const found = OWN_WORDS.find(([words]) => words.test(message));
  return found === undefined ? message : message.replace(...found);
}
