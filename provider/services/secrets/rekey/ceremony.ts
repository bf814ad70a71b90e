import {
  ActionableError,
  type ProcedureInput,
  type ProcedureProgress,
  rerunUp,
  set,
  stringIn,
  stringsIn,
} from "../../../core";
import { givenShares } from "./giving";
import { KEYS_LOST, resolveLostRekey } from "./losing";
import { type RekeyWork, recordedRoutes } from "./routes";
import { isLastInDoubt, sharesGiven, sharesIn } from "./shares";
import { cancel, completedElsewhereError, startRekey, withNonce } from "./starting";
import { isInVerification, isOurs, openCeremony, type RekeyStatus, readStatus } from "./status";

/** The maximum number of rekey starts within one update, after lost responses that cannot be recovered. */
const MOST_STARTS = 2;

/**
 * Advances a rekey of the recovery key as far as the program's shares allow (specification: Recovery-key rekey, the table of
 * states). No share is submitted twice under one nonce.
 * @throws Error if another rekey is under way, shares are missing, or new shares are lost.
 */
export async function advanceRekey(given: ProcedureInput): Promise<ProcedureProgress> {
  const { progress } = given;
  const routes = recordedRoutes(progress);
  if (progress.phase === "complete" || (progress.phase === "verification" && progress.nonce !== ""))
    return progress;
  if (progress.phase === "lost" && routes) return resolveLostRekey({ ...given, routes }, progress);
  const { work, status } = await openCeremony(given);
  if (progress.phase === "verification") return withNonce(work, progress, status);
  let known = progress;
  let now = status;
  for (let start = 1; start <= MOST_STARTS; start++) {
    const attempt = await underWay(work, known, now);
    const outcome =
      attempt === KEYS_LOST || attempt.phase !== "started" ? attempt : await givenShares(work, attempt);
    if (outcome !== KEYS_LOST) return outcome;
    // The current key is still valid, so a restart is safe.
    const { nonce } = await readStatus(work);
    await cancel(work, nonce);
    work.context.log(
      "warning",
      `the response with the new shares of the rekey ${nonce} was lost; the rekey was canceled`,
      { outcome: "applied", isReverted: true },
    );
    work.save({});
    known = {};
    if (start < MOST_STARTS) now = await readStatus(work);
  }
  throw new ActionableError(
    "the response with the new shares was lost twice; the rekey was canceled.",
    [rerunUp()],
    { outcome: "applied", isReverted: true },
  );
}

/** Reads a rekey for a refresh. A rekey whose new shares are in the state, or may be lost, never counts as deleted. */
export async function rekeyNow(work: ProcedureInput): Promise<ProcedureProgress | undefined> {
  const { progress, inputs } = work;
  if (progress.phase !== "started") return progress;
  const { status } = await openCeremony(work);
  if (!isOurs(status, progress)) return inputs.requireVerification === false ? progress : undefined;
  return { ...progress, progress: status.progress, required: status.required };
}

/** Cancels an unfinished rekey, if it is the recorded one. */
export async function cancelOwn(given: ProcedureInput): Promise<void> {
  const { progress } = given;
  if (progress.phase !== "started" && progress.phase !== "verification") return;
  const { work, status } = await openCeremony(given);
  if (isOurs(status, progress)) await cancel(work, status.nonce);
}

/** The rekey under way: the recorded one, or a new one. */
async function underWay(
  work: RekeyWork,
  known: ProcedureProgress,
  status: RekeyStatus,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  const { context, inputs } = work;
  if (known.nonce === undefined) return startRekey(work, status);
  if (isOurs(status, known)) {
    if (await isInVerification(work, status)) {
      return isLastInDoubt(known) ? KEYS_LOST : againOrRefused(work, status, completedElsewhereError(status));
    }
    const given = sharesGiven(known, status.progress);
    if (status.progress === 0 && (given === undefined || known.taken_back === true)) {
      return afresh(work, status);
    }
    const isAllGiven = sharesIn(inputs.shares).every(({ mark }) => stringsIn(known.given).includes(mark));
    if (given === undefined && !isAllGiven && inputs.othersGiveShares !== true) {
      return againOrRefused(work, status, countsOthers(status, stringsIn(known.given).length));
    }
    const { being_given: _, ...rest } = known;
    return { ...rest, given: [...(given ?? stringsIn(known.given))], progress: status.progress };
  }
  if (inputs.requireVerification === false) return resolveLostRekey(work, known);
  if (!status.isStarted) {
    context.log(
      "warning",
      `the rekey ${stringIn(known.nonce)} is no longer in progress, and its new shares never took effect, so a new rekey is started`,
    );
  }
  return startRekey(work, status);
}

/** Starts a new rekey after the server discarded every share. No share is lost, and none is submitted twice under one nonce. */
async function afresh(
  work: RekeyWork,
  { nonce }: RekeyStatus,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  await cancel(work, nonce);
  work.context.log(
    "warning",
    `the server discarded all shares of the rekey ${nonce}, because the shares do not form the key, or because the rekey failed afterward; ` +
      "the rekey was canceled, and a new rekey is started",
    { outcome: "applied", isReverted: true },
  );
  return startRekey(work, await readStatus(work));
}

/** Cancels and restarts a rekey that cannot continue, but only if the program sets `cancelRunning`. */
function againOrRefused(
  work: RekeyWork,
  status: RekeyStatus,
  refusal: ActionableError,
): Promise<ProcedureProgress | typeof KEYS_LOST> {
  if (work.inputs.cancelRunning === true) return startRekey(work, status);
  throw refusal;
}

function countsOthers({ nonce, progress }: RekeyStatus, ours: number): ActionableError {
  return new ActionableError(
    `the rekey ${nonce} counts ${progress} shares, but this state contains only ${ours} of them; nothing was done. ` +
      "Someone else submitted shares, or an earlier pulumi up was interrupted before its state was saved. If the rekey continued, a share could be submitted twice.",
    [
      set("cancelRunning", true, { more: " to cancel the rekey and start again" }),
      set("othersGiveShares", true, { more: " if other holders submit their shares elsewhere" }),
    ],
    { outcome: "notApplied", changedBy: "unknown" },
  );
}
