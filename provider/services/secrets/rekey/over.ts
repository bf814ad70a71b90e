import { ActionableError, editProgram, type Learnt, set, type Work, wordIn } from "../../../core";

/** The remedies for a rekey that is over with an unknown result. */
const WHERE_OVER = [
  set("adopt", true, { more: " if it was verified" }),
  editProgram("change the triggers of the RecoveryKeyRekey if it was not"),
];

/** Treats a rekey that is not under way as verified only if the program sets `adopt`. */
export function notUnderWay({ inputs, keep }: Work): Learnt {
  if (inputs.adopt !== true) {
    throw new ActionableError(
      `the rekey ${wordIn(inputs.rekeyNonce)} is not in progress; nothing was done. It was verified, canceled, or lost when the active server stopped; the server does not report which.`,
      WHERE_OVER,
      { outcome: "notApplied", changedBy: "unknown" },
    );
  }
  const known: Learnt = { phase: "complete" };
  keep(known);
  return known;
}

/**
 * The error for a rekey that is over after its last new share, with a response that does not explain it. Nothing shows which
 * key is valid.
 */
export function overAfter({ inputs }: Work, answer: string): ActionableError {
  return new ActionableError(
    `the response to the last new share ${answer}, and the rekey ${wordIn(inputs.rekeyNonce)} is no longer in progress. That share completed it, someone canceled it at the same time, or it was lost with the active server. The server does not report which key is valid: keep the shares of both.`,
    WHERE_OVER,
    { outcome: "unknown", changedBy: "unknown" },
  );
}
