import type { Known, Work } from "../../../core/define";
import type { HttpAnswer } from "../../../core/http/request";
import type { Json } from "../../../core/json";
import { errorFrom, isSuccess } from "../../../core/steps/observe";
import { sendOnce } from "../../../core/steps/once";
import { unwrappedAnswer } from "../service";
import { completedUnseen, KEYS_LOST } from "./losing";
import { isLastInDoubt, marksIn, sharesGiven, sharesIn } from "./shares";
import { isInVerification, isOurs, readStatus, routes, statusIn } from "./status";

/**
 * Gives what is left of the program's shares, one by one, until the service has enough.
 * @throws Error where they are not enough, where the service does not take one, or where it is open whether it did.
 */
export async function givenShares(work: Work, standing: Known): Promise<Known | typeof KEYS_LOST> {
  let known = standing;
  for (const { share, mark } of sharesIn(work.inputs.shares)) {
    if (marksIn(known.given).includes(mark)) continue;
    work.keep({ ...known, being_given: mark });
    const body = { key: share, nonce: String(known.nonce) };
    const { answer, lost } = await sendOnce(work.context, routes.update, {}, body);
    const outcome = lost
      ? await afterLostAnswer(work, { ...known, being_given: mark }, lost)
      : afterAnswer(work, known, mark, answer);
    if (outcome === KEYS_LOST || outcome.phase !== "started") return outcome;
    known = outcome;
  }
  throw new Error(
    `the rekey ${known.nonce} has ${known.progress} of the ${known.required} shares of the current key that it needs: ` +
      "add shares, and run pulumi up again, which goes on with it",
  );
}

function afterAnswer(work: Work, before: Known, mark: string, answer: HttpAnswer): Known {
  const isKnownAlready = answer.status === 400 && /already been provided/.test(answer.text);
  if (!isSuccess(answer) && !isKnownAlready) {
    const error = errorFrom(work.context, answer, routes.update, {});
    throw new Error(`the rekey ${before.nonce} did not take a share: ${error.message}`);
  }
  const shown = unwrappedAnswer(answer.json ?? null);
  if (shown.complete === true) return completed(work, before, shown);
  const now = statusIn(answer.json ?? null);
  const known: Known = {
    ...before,
    given: [...marksIn(before.given), mark],
    // Somebody else gave it a moment ago: it counts, and the service has counted it then.
    progress: isKnownAlready ? marksIn(before.given).length + 1 : now.progress,
  };
  work.keep(known);
  return known;
}

function completed(work: Work, before: Known, shown: { readonly [member: string]: Json }): Known {
  const { given: _, ...rest } = before;
  const known: Known = {
    ...rest,
    phase: shown.verification_required === true ? "verification" : "complete",
    progress: before.required ?? 0,
    keys: shown.keys ?? [],
    keys_base64: shown.keys_base64 ?? [],
    ...(Array.isArray(shown.pgp_fingerprints) && { pgp_fingerprints: shown.pgp_fingerprints }),
    ...(typeof shown.verification_nonce === "string" && { verification_nonce: shown.verification_nonce }),
  };
  work.keep(known);
  return known;
}

/** Whether a share whose answer was lost was counted, by the status; and if it was the last, what became of the keys. */
async function afterLostAnswer(work: Work, known: Known, lost: Error): Promise<Known | typeof KEYS_LOST> {
  const status = await readStatus(work);
  if (!isOurs(status, known)) {
    if (work.inputs.requireVerification === false) return completedUnseen(work, known);
    throw lost;
  }
  // Whose share was the last, the next up asks, where it was not ours.
  if (await isInVerification(work, status)) {
    if (isLastInDoubt(known)) return KEYS_LOST;
    throw lost;
  }
  const given = sharesGiven(known, status.progress);
  // It was not counted, or the service counts what we do not know: the next up goes on from there.
  if (given === undefined || given.length === marksIn(known.given).length) throw lost;
  const { being_given: _, ...rest } = known;
  const counted: Known = { ...rest, given: [...given], progress: status.progress };
  work.keep(counted);
  return counted;
}
