import {
  ActionableError,
  amountIn,
  editProgram,
  errorFrom,
  type HookContext,
  type HttpResponse,
  isSuccess,
  manualCheck,
  type ProcedureInput,
  type ProcedureProgress,
  probeAfter,
  rerunUp,
  type ServiceError,
  send,
  sendOnce,
  stringIn,
  stringsIn,
  unknownError,
  writeOnce,
} from "../../../core";
import { unwrappedAnswer } from "../service";
import { notUnderWay, overAfter } from "./over";
import type { RekeyWork } from "./routes";
import { type HeldShare, isAlreadyGiven, sharesGiven, sharesIn } from "./shares";
import {
  openCeremony,
  readStatus,
  readVerification,
  type VerificationStatus,
  verificationIn,
} from "./status";

/**
 * Submits the new shares, one by one, until they take effect (specification: Recovery-key rekey, the table of states).
 * @throws Error if the rekey is not under way or still needs shares of the current key; also if new shares are missing or
 * rejected.
 */
export async function submitNewShares(given: ProcedureInput): Promise<ProcedureProgress> {
  if (given.progress.phase === "complete") return given.progress;
  const own = await ownVerification(given);
  if (own === undefined) return notUnderWay(given);
  const { work, status } = own;
  let known = await resumeVerification(work, status);
  for (const held of sharesIn(work.inputs.shares)) {
    const { share, mark } = held;
    if (stringsIn(known.given).includes(mark)) continue;
    work.save({ ...known, being_given: mark });
    const body = { key: share, nonce: stringIn(known.nonce) };
    const { answer, lost } = await sendOnce(work.context, work.routes.verify, {}, body);
    known = lost
      ? await afterLostAnswer(work, { ...known, being_given: mark }, lost)
      : await afterAnswer(work, known, held, answer);
    work.save(known);
    if (known.phase === "complete") return known;
  }
  throw new ActionableError(
    `the verification of the rekey ${stringIn(work.inputs.rekeyNonce)} has ${stringIn(known.progress)} of ${stringIn(known.threshold)} required new shares.`,
    [editProgram("add shares, and run pulumi up again to continue the verification")],
  );
}

/** Reads a verification for a refresh. A finished verification never counts as deleted. An unfinished one is deleted with its rekey. */
export async function verificationNow(work: ProcedureInput): Promise<ProcedureProgress | undefined> {
  const { progress } = work;
  if (progress.phase === "complete") return progress;
  const own = await ownVerification(work);
  return own && { ...progress, progress: own.status.progress };
}

/** Discards the new shares of an unfinished verification. The rekey stays. */
export async function restartVerification(work: ProcedureInput): Promise<void> {
  if (work.progress.phase === "complete") return;
  const own = await ownVerification(work);
  if (own !== undefined) await restart(own.work, own.status);
}

/** The verification of the recorded rekey; undefined if it is not under way. */
async function ownVerification(
  given: ProcedureInput,
): Promise<{ readonly work: RekeyWork; readonly status: VerificationStatus } | undefined> {
  const { work, status } = await openCeremony(given);
  if (!status.isStarted || status.nonce !== work.inputs.rekeyNonce) return undefined;
  const verification = await readVerification(work);
  if (verification !== undefined) return { work, status: verification };
  throw new ActionableError(
    `the rekey ${status.nonce} has ${status.progress} of ${status.required} required shares of the current recovery key, so there are no new shares to verify yet.`,
    [editProgram("add the missing shares to the RecoveryKeyRekey, and run pulumi up again")],
  );
}

/** Resumes the verification of an earlier update, or restarts it if the counted shares are unknown. */
async function resumeVerification(work: RekeyWork, status: VerificationStatus): Promise<ProcedureProgress> {
  const given = sharesGiven(work.progress.nonce === status.nonce ? work.progress : {}, status.progress);
  const now = given === undefined ? await restart(work, status) : status;
  if (given === undefined) {
    work.context.log(
      "warning",
      "the verification is restarted, because it is unknown which new shares the server had counted",
    );
  }
  const known: ProcedureProgress = {
    phase: "verification",
    prefix: work.routes.prefix,
    nonce: now.nonce,
    progress: now.progress,
    threshold: now.threshold,
    given: [...(given ?? [])],
  };
  work.save(known);
  return known;
}

/** Restarts the verification. The server sets the progress to 0, creates a nonce and keeps the rekey. Probes after an unknown outcome. */
async function restart(work: RekeyWork, before: VerificationStatus): Promise<VerificationStatus> {
  const route = work.routes.restart;
  const outcome = await writeOnce<HookContext, VerificationStatus>(work.context, {
    route,
    address: {},
    send: (context) => send(context, route, {}, { nature: "write" }),
    probe: async (context) => {
      const found = await readVerification({ ...work, context });
      return found === undefined || found.nonce === before.nonce
        ? { isApplied: false }
        : { isApplied: true, found };
    },
  });
  if (outcome.kind === "applied") return verificationIn(outcome.answer.json ?? null);
  if (outcome.kind === "shown") return outcome.found;
  throw unknownError(outcome);
}

async function afterAnswer(
  work: RekeyWork,
  before: ProcedureProgress,
  held: HeldShare,
  answer: HttpResponse,
): Promise<ProcedureProgress> {
  if (!isSuccess(answer) && !isAlreadyGiven(answer)) {
    const status = isLastFor(before) ? await readStatus(work).catch(() => undefined) : undefined;
    throw status?.isStarted === false
      ? overAfter(work, `was an error (${answer.status})`)
      : await refusal(work, before, held, answer);
  }
  const given = [...stringsIn(before.given), held.mark];
  if (unwrappedAnswer(answer.json ?? null).complete === true) return complete(before);
  return { ...before, given, progress: given.length };
}

/** The error for a rejected share. If the server rejects the last share, it discards all shares and creates a new nonce. */
async function refusal(
  work: RekeyWork,
  before: ProcedureProgress,
  { position }: HeldShare,
  answer: HttpResponse,
): Promise<Error> {
  // The next request reads the status, so the outcome of the rejected share is known.
  const { summary: told } = errorFrom(work.context, answer, work.routes.verify, {}, "read");
  const whole = `the verification of the rekey ${stringIn(work.inputs.rekeyNonce)}`;
  const now = isLastFor(before) ? await readVerification(work).catch(() => undefined) : undefined;
  if (now === undefined || now.nonce === before.nonce) {
    return new ActionableError(`${whole} rejected share ${position} of \`shares\`: ${told}`, [rerunUp()]);
  }
  return new ActionableError(
    `${whole} received the last required new share (${stringIn(before.threshold)} of ${stringIn(before.threshold)}), but the submitted shares do not form the new key: ${told} ` +
      "The server discarded these shares, and does not report which of the shares are wrong.",
    [
      manualCheck("Compare the submitted shares with the output of the rekey."),
      rerunUp(" to submit the shares again"),
    ],
  );
}

/** Checks whether the server counted the share whose response was lost. */
async function afterLostAnswer(
  work: RekeyWork,
  known: ProcedureProgress,
  lost: ServiceError,
): Promise<ProcedureProgress> {
  const { status, now } = await probeAfter(work.context, lost, async (context) => {
    const asking = { ...work, context };
    const status = await readStatus(asking);
    const isOurs = status.isStarted && status.nonce === work.inputs.rekeyNonce;
    const now = isOurs ? await readVerification(asking) : undefined;
    const isCounted = now?.nonce !== known.nonce || now?.progress !== stringsIn(known.given).length;
    return { isApplied: !isOurs || isCounted, found: { status, now } };
  });
  if (!status.isStarted && isLastFor(known)) throw overAfter(work, "was lost");
  const given = now?.nonce === known.nonce ? sharesGiven(known, now?.progress ?? -1) : undefined;
  // The server did not count the share, or counted unknown shares. The next update continues from its status.
  if (given === undefined || given.length === stringsIn(known.given).length) throw lost;
  const { being_given: _, ...rest } = known;
  return { ...rest, given: [...given], progress: given.length };
}

/** True if the next share is the last one that the server needs. */
function isLastFor({ progress, threshold }: ProcedureProgress): boolean {
  return amountIn(progress) + 1 >= amountIn(threshold);
}

function complete({ nonce, threshold }: ProcedureProgress): ProcedureProgress {
  return { phase: "complete", ...(nonce && { nonce }), ...(threshold && { progress: threshold, threshold }) };
}
