import {
  ActionableError,
  editProgram,
  type ProcedureInput,
  type ProcedureProgress,
  rerunUp,
  stringIn,
} from "../../../core";
import type { RekeyWork } from "./routes";
import { isOurs, readBackup, readStatus } from "./status";

/** The marker for new shares that were lost with a response before they took effect. */
export const KEYS_LOST = "keys lost";

/**
 * Handles a rekey without verification that is no longer under way. It may be complete; its new shares are then lost, unless
 * there is a backup.
 * @throws Error that reports the loss, which the state records, or the failure to read the backup.
 */
export async function resolveLostRekey(
  work: RekeyWork,
  known: ProcedureProgress,
): Promise<ProcedureProgress> {
  const { given: _, being_given: __, ...rest } = known;
  const fingerprints = Array.isArray(known.pgp_fingerprints) ? known.pgp_fingerprints : [];
  const keys =
    work.inputs.backup === true ? await readBackup(work, stringIn(known.nonce), fingerprints) : undefined;
  if (keys === undefined) {
    if (known.phase !== "lost") await refuseUnderWay(work, known);
    work.save({ ...rest, phase: "lost" });
    throw new ActionableError(
      lossOf(work),
      [
        editProgram(
          "keep the old shares: the next rekey shows if the server still accepts them. To start it, change the property triggers",
        ),
      ],
      { outcome: "unknown", isLastWrite: true, changedBy: "unknown" },
    );
  }
  work.context.log(
    "warning",
    "the response with the new shares was lost; the shares were read from the server's backup",
  );
  const whole: ProcedureProgress = {
    ...rest,
    phase: "complete",
    progress: known.required ?? 0,
    keys: [...keys],
    keys_base64: keys.map((key) => Buffer.from(key, "hex").toString("base64")),
  };
  work.save(whole);
  return whole;
}

/** A loss is final, so one response is not enough: it may be older than the start of the rekey. */
async function refuseUnderWay(work: RekeyWork, known: ProcedureProgress): Promise<void> {
  if (!isOurs(await readStatus(work), known)) return;
  throw new ActionableError(
    `the server first reported that the rekey ${stringIn(known.nonce)} is no longer in progress, and then that the rekey is in progress.`,
    [rerunUp(" to continue the rekey")],
  );
}

/** The message for a rekey that may have taken effect, and whose new shares are lost. */
function lossOf({ inputs }: ProcedureInput): string {
  const missing =
    inputs.backup === true ? "there is no backup" : "neither verification nor a backup was requested";
  return (
    "the rekey is no longer in progress; nothing more was done. If the rekey was canceled, or lost when the active server stopped, the recovery key is unchanged. " +
    `If the server counted the last share, the recovery key changed, and the new shares were lost with the response, because ${missing}.`
  );
}
