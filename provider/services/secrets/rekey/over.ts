import {
  ActionableError,
  editProgram,
  type ProcedureInput,
  type ProcedureProgress,
  set,
  stringIn,
} from "../../../core";

/** The remedies for a rekey that is over with an unknown result. */
const WHERE_OVER = [
  set("adopt", true, { more: " if the rekey was verified" }),
  editProgram("change the triggers of the RecoveryKeyRekey if the rekey was not verified"),
];

/** Treats a rekey that is not under way as verified only if the program sets `adopt`. */
export function notUnderWay({ inputs, save }: ProcedureInput): ProcedureProgress {
  if (inputs.adopt !== true) {
    throw new ActionableError(
      `the rekey ${stringIn(inputs.rekeyNonce)} is not in progress; nothing was done. The rekey was verified, canceled, or lost when the active server stopped. The server does not report which of these happened.`,
      WHERE_OVER,
      { outcome: "notApplied", changedBy: "unknown" },
    );
  }
  const known: ProcedureProgress = { phase: "complete" };
  save(known);
  return known;
}

/**
 * The error for a rekey that is over after its last new share, with a response that does not explain it. Nothing shows which
 * key is valid.
 */
export function overAfter({ inputs }: ProcedureInput, answer: string): ActionableError {
  return new ActionableError(
    `the response to the last new share ${answer}, and the rekey ${stringIn(inputs.rekeyNonce)} is no longer in progress. The share completed the rekey, someone canceled the rekey at the same time, or the rekey was lost when the active server stopped. The server does not report which recovery key is valid: keep the shares of both keys.`,
    WHERE_OVER,
    { outcome: "unknown", changedBy: "unknown" },
  );
}
