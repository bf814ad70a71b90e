import {
  ActionableError,
  amountIn,
  editProgram,
  errorFrom,
  type HookContext,
  type HttpAnswer,
  isSuccess,
  type Learnt,
  manualCheck,
  probeAfter,
  rerunUp,
  type ServiceError,
  send,
  sendOnce,
  unknownError,
  type Work,
  wordIn,
  wordsIn,
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
export async function submitNewShares(given: Work): Promise<Learnt> {
  if (given.learnt.phase === "complete") return given.learnt;
  const own = await ownVerification(given);
  if (own === undefined) return notUnderWay(given);
  const { work, status } = own;
  let known = await resumeVerification(work, status);
  for (const held of sharesIn(work.inputs.shares)) {
    const { share, mark } = held;
    if (wordsIn(known.given).includes(mark)) continue;
    work.keep({ ...known, being_given: mark });
    const body = { key: share, nonce: wordIn(known.nonce) };
    const { answer, lost } = await sendOnce(work.context, work.routes.verify, {}, body);
    known = lost
      ? await afterLostAnswer(work, { ...known, being_given: mark }, lost)
      : await afterAnswer(work, known, held, answer);
    work.keep(known);
    if (known.phase === "complete") return known;
  }
  throw new ActionableError(
    `the verification of the rekey ${wordIn(work.inputs.rekeyNonce)} has ${wordIn(known.progress)} of ${wordIn(known.threshold)} required new shares.`,
    [editProgram("add shares, and run pulumi up again to continue the verification")],
  );
}

/** Reads a verification for a refresh. A finished verification never counts as deleted. An unfinished one is deleted with its rekey. */
export async function verificationNow(work: Work): Promise<Learnt | undefined> {
  const { learnt } = work;
  if (learnt.phase === "complete") return learnt;
  const own = await ownVerification(work);
  return own && { ...learnt, progress: own.status.progress };
}

/** Discards the new shares of an unfinished verification. The rekey stays. */
export async function restartVerification(work: Work): Promise<void> {
  if (work.learnt.phase === "complete") return;
  const own = await ownVerification(work);
  if (own !== undefined) await restart(own.work, own.status);
}

/** The verification of the recorded rekey; undefined if it is not under way. */
async function ownVerification(
  given: Work,
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
async function resumeVerification(work: RekeyWork, status: VerificationStatus): Promise<Learnt> {
  const given = sharesGiven(work.learnt.nonce === status.nonce ? work.learnt : {}, status.progress);
  const now = given === undefined ? await restart(work, status) : status;
  if (given === undefined) {
    work.context.log(
      "warning",
      "the verification is restarted, because it is unknown which new shares the server had counted",
    );
  }
  const known: Learnt = {
    phase: "verification",
    prefix: work.routes.prefix,
    nonce: now.nonce,
    progress: now.progress,
    threshold: now.threshold,
    given: [...(given ?? [])],
  };
  work.keep(known);
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
  before: Learnt,
  held: HeldShare,
  answer: HttpAnswer,
): Promise<Learnt> {
  if (!isSuccess(answer) && !isAlreadyGiven(answer)) {
    const status = isLastFor(before) ? await readStatus(work).catch(() => undefined) : undefined;
    throw status?.isStarted === false
      ? overAfter(work, `was an error (${answer.status})`)
      : await refusal(work, before, held, answer);
  }
  const given = [...wordsIn(before.given), held.mark];
  if (unwrappedAnswer(answer.json ?? null).complete === true) return complete(before);
  return { ...before, given, progress: given.length };
}

/** The error for a rejected share. If the server rejects the last share, it discards all shares and creates a new nonce. */
async function refusal(
  work: RekeyWork,
  before: Learnt,
  { position }: HeldShare,
  answer: HttpAnswer,
): Promise<Error> {
  // The next request reads the status, so the outcome of the rejected share is known.
  const { summary: told } = errorFrom(work.context, answer, work.routes.verify, {}, "read");
  const whole = `the verification of the rekey ${wordIn(work.inputs.rekeyNonce)}`;
  const now = isLastFor(before) ? await readVerification(work).catch(() => undefined) : undefined;
  if (now === undefined || now.nonce === before.nonce) {
    return new ActionableError(`${whole} rejected share ${position} of \`shares\`: ${told}`, [rerunUp()]);
  }
  return new ActionableError(
    `${whole} received the last required new share (${wordIn(before.threshold)} of ${wordIn(before.threshold)}), but the submitted shares do not form the new key: ${told} ` +
      "The server discarded these shares, and does not report which of the shares are wrong.",
    [
      manualCheck("Compare the submitted shares with the output of the rekey."),
      rerunUp(" to submit the shares again"),
    ],
  );
}

/** Checks whether the server counted the share whose response was lost. */
async function afterLostAnswer(work: RekeyWork, known: Learnt, lost: ServiceError): Promise<Learnt> {
  const { status, now } = await probeAfter(work.context, lost, async (context) => {
    const asking = { ...work, context };
    const status = await readStatus(asking);
    const isOurs = status.isStarted && status.nonce === work.inputs.rekeyNonce;
    const now = isOurs ? await readVerification(asking) : undefined;
    const isCounted = now?.nonce !== known.nonce || now?.progress !== wordsIn(known.given).length;
    return { isApplied: !isOurs || isCounted, found: { status, now } };
  });
  if (!status.isStarted && isLastFor(known)) throw overAfter(work, "was lost");
  const given = now?.nonce === known.nonce ? sharesGiven(known, now?.progress ?? -1) : undefined;
  // The server did not count the share, or counted unknown shares. The next update continues from its status.
  if (given === undefined || given.length === wordsIn(known.given).length) throw lost;
  const { being_given: _, ...rest } = known;
  return { ...rest, given: [...given], progress: given.length };
}

/** True if the next share is the last one that the server needs. */
function isLastFor({ progress, threshold }: Learnt): boolean {
  return amountIn(progress) + 1 >= amountIn(threshold);
}

function complete({ nonce, threshold }: Learnt): Learnt {
  return { phase: "complete", ...(nonce && { nonce }), ...(threshold && { progress: threshold, threshold }) };
}
