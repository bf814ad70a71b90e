import {
  ActionableError,
  amountIn,
  editProgram,
  errorFrom,
  type HttpResponse,
  isSuccess,
  type Json,
  manualCheck,
  type ProcedureProgress,
  probeAfter,
  probeContext,
  rerunUp,
  type ServiceError,
  sendOnce,
  stringIn,
  stringsIn,
} from "../../../core";
import { unwrappedAnswer } from "../service";
import { KEYS_LOST, resolveLostRekey } from "./losing";
import type { RekeyWork } from "./routes";
import { type HeldShare, isAlreadyGiven, isLastInDoubt, sharesGiven, sharesIn } from "./shares";
import { isInVerification, isOurs, readStatus, statusIn } from "./status";

/**
 * Submits the program's remaining shares, one by one, until the server has enough.
 * @throws Error if they are not enough, if the server rejects one, or if it is unknown whether the server accepted it.
 */
export async function givenShares(
  work: RekeyWork,
  start: ProcedureProgress,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  let known = start;
  for (const held of sharesIn(work.inputs.shares)) {
    const { share, mark } = held;
    if (stringsIn(known.given).includes(mark)) continue;
    work.save({ ...known, being_given: mark });
    const body = { key: share, nonce: stringIn(known.nonce) };
    const { answer, lost } = await sendOnce(work.context, work.routes.update, {}, body);
    const outcome = lost
      ? await afterLostAnswer(work, { ...known, being_given: mark }, lost)
      : await afterAnswer(work, known, held, answer);
    if (outcome === KEYS_LOST || outcome.phase !== "started") return outcome;
    known = outcome;
  }
  throw new ActionableError(
    `the rekey ${stringIn(known.nonce)} has ${stringIn(known.progress)} of ${stringIn(known.required)} required shares of the current recovery key.`,
    [editProgram("add shares, and run pulumi up again to continue the rekey")],
  );
}

async function afterAnswer(
  work: RekeyWork,
  before: ProcedureProgress,
  held: HeldShare,
  answer: HttpResponse,
): Promise<ProcedureProgress> {
  const { mark } = held;
  const isKnownAlready = isAlreadyGiven(answer);
  if (!isSuccess(answer) && !isKnownAlready) throw await refusal(work, before, held, answer);
  const shown = unwrappedAnswer(answer.json ?? null);
  if (shown.complete === true) return storeNewShares(work, before, shown);
  const now = statusIn(answer.json ?? null);
  const known: ProcedureProgress = {
    ...before,
    given: [...stringsIn(before.given), mark],
    // Someone else has just submitted this share: the server has already counted it.
    progress: isKnownAlready ? stringsIn(before.given).length + 1 : now.progress,
  };
  work.save(known);
  return known;
}

/**
 * The error for a rejected share, by the server's count after it. If the server rejects only this share, its count stays
 * unchanged. If it discards all shares, it has combined them, and no one knows which share was wrong, if any.
 */
async function refusal(
  work: RekeyWork,
  before: ProcedureProgress,
  { mark, position }: HeldShare,
  answer: HttpResponse,
): Promise<Error> {
  // The status is read next, so the rejection itself leaves nothing unclear.
  const { summary: told } = errorFrom(work.context, answer, work.routes.update, {}, "read");
  const status = await readStatus(work).catch(() => undefined);
  const isLast = amountIn(before.progress) + 1 >= amountIn(before.required);
  if (!(isLast && status !== undefined && isOurs(status, before) && status.progress === 0)) {
    return new ActionableError(
      `the rekey ${stringIn(before.nonce)} rejected share ${position} of \`shares\`: ${told}`,
      [rerunUp()],
    );
  }
  work.save({ ...before, being_given: mark, taken_back: true });
  return new ActionableError(
    `the rekey ${stringIn(before.nonce)} received the last required share (${stringIn(before.required)} of ${stringIn(before.required)}), but the submitted shares do not form the key: ${told} ` +
      "The server discarded these shares, and does not report which of the shares are wrong.",
    [
      manualCheck("Compare the submitted shares with the shares of the holders."),
      rerunUp(" to start a new rekey"),
    ],
  );
}

/** The new shares in a response, which the state stores immediately. */
export function storeNewShares(
  work: Pick<RekeyWork, "save">,
  before: ProcedureProgress,
  shown: { readonly [member: string]: Json },
): ProcedureProgress {
  const { given: _, ...rest } = before;
  const known: ProcedureProgress = {
    ...rest,
    phase: shown.verification_required === true ? "verification" : "complete",
    progress: before.required ?? 0,
    keys: shown.keys ?? [],
    keys_base64: shown.keys_base64 ?? [],
    ...(Array.isArray(shown.pgp_fingerprints) && { pgp_fingerprints: shown.pgp_fingerprints }),
    ...(typeof shown.verification_nonce === "string" && { verification_nonce: shown.verification_nonce }),
  };
  work.save(known);
  return known;
}

/**
 * Reads the status after a lost response: whether the server counted the share, and, for the last share, whether the keys
 * are lost.
 */
async function afterLostAnswer(
  giving: RekeyWork,
  known: ProcedureProgress,
  lost: ServiceError,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  const status = await probeAfter(giving.context, lost, async (context) => {
    const asking = { ...giving, context };
    const found = await readStatus(asking);
    const isCounted = found.progress !== stringsIn(known.given).length;
    const isApplied = !isOurs(found, known) || isCounted || (await isInVerification(asking, found));
    return { isApplied, found };
  });
  const work = { ...giving, context: probeContext(giving.context) };
  if (!isOurs(status, known)) {
    if (work.inputs.requireVerification === false) return resolveLostRekey(work, known);
    throw lost;
  }
  // If someone else submitted the last share, the next update finds that out.
  if (await isInVerification(work, status)) {
    if (isLastInDoubt(known)) return KEYS_LOST;
    throw lost;
  }
  const given = sharesGiven(known, status.progress);
  // The server did not count the share, or it counts unknown shares. The next update continues from there.
  if (given === undefined || given.length === stringsIn(known.given).length) throw lost;
  const { being_given: _, ...rest } = known;
  const counted: ProcedureProgress = { ...rest, given: [...given], progress: status.progress };
  work.save(counted);
  return counted;
}
