import type { Known, Work } from "../../../core/define";
import { givenShares } from "./giving";
import { completedUnseen, KEYS_LOST, LOST } from "./losing";
import { marksIn, sharesGiven, sharesIn } from "./shares";
import { begun, cancel } from "./starting";
import { isInVerification, isOurs, readStatus } from "./status";

/** How often a rekey is started anew within one up, because an answer was lost that cannot be made good. */
const MOST_STARTS = 2;

/**
 * Carries a rekey of the recovery key as far as the program's shares go (specification: Recovery-key rekey, the table
 * of states). No share is given twice under one nonce.
 * @throws Error where another rekey is under way, shares are missing, or new shares are lost.
 */
export async function rekeyed(work: Work): Promise<Known> {
  if (work.known.phase === "verification" || work.known.phase === "complete") return work.known;
  if (work.known.phase === "lost") throw new Error(LOST);
  let known = work.known;
  for (let start = 1; start <= MOST_STARTS; start++) {
    const standing = await underWay(work, known);
    const outcome =
      standing === KEYS_LOST || standing.phase === "complete" ? standing : await givenShares(work, standing);
    if (outcome !== KEYS_LOST) return outcome;
    // The current key is still the one, so that it is safe to begin again.
    const { nonce } = await readStatus(work);
    await cancel(work, nonce);
    work.context.log(
      "warning",
      `the new shares of the rekey ${nonce} were lost with an answer; it was cancelled`,
    );
    work.keep({});
    known = {};
  }
  throw new Error(
    "the new shares were lost twice with their answers, and the rekey was cancelled; run pulumi up again",
  );
}

/** What a refresh knows: one whose new shares are in the state is never gone, and neither is one that may have lost them. */
export async function rekeyStanding(work: Work): Promise<Known | undefined> {
  const { known, inputs } = work;
  if (known.phase !== "started") return known;
  const status = await readStatus(work);
  if (!isOurs(status, known)) return inputs.requireVerification === false ? known : undefined;
  return { ...known, progress: status.progress, required: status.required };
}

/** Cancels a rekey that is not done, if it is ours. */
export async function cancelled(work: Work): Promise<void> {
  const { known } = work;
  if (known.phase !== "started" && known.phase !== "verification") return;
  const status = await readStatus(work);
  if (isOurs(status, known)) await cancel(work, status.nonce);
}

/** Our rekey under way: the one that the state knows, or a new one. */
async function underWay(work: Work, known: Known): Promise<Known | typeof KEYS_LOST> {
  const { context, inputs } = work;
  const status = await readStatus(work);
  if (known.nonce === undefined) return begun(work, status);
  if (isOurs(status, known)) {
    if (await isInVerification(work, status)) return KEYS_LOST;
    const given = sharesGiven(known, status.progress);
    const isAllGiven = sharesIn(inputs.shares).every(({ mark }) => marksIn(known.given).includes(mark));
    if (given !== undefined || isAllGiven) {
      const { being_given: _, ...rest } = known;
      return { ...rest, given: [...(given ?? marksIn(known.given))], progress: status.progress };
    }
    // Which shares the service has counted cannot be told, so that each of ours might be given a second time.
    await cancel(work, status.nonce);
    context.log(
      "warning",
      `the rekey ${status.nonce} counts other shares than this program knows of; it was cancelled, and a new one is started`,
    );
    return begun(work, await readStatus(work));
  }
  if (!status.isStarted && inputs.requireVerification === false) return completedUnseen(work, known);
  if (!status.isStarted) {
    context.log(
      "warning",
      `the rekey ${known.nonce} is no longer under way, and its new shares never took effect; a new one is started`,
    );
  }
  return begun(work, status);
}
