import { ActionableError, editProgram, type Learnt, set, type Work, wordIn } from "../../../core";

/** The remedies for a rekey that is over with an unknown result. */
const WHERE_OVER = [
  set("adopt", true, { more: " where it was verified" }),
  editProgram("change the triggers of the RecoveryKeyRekey where it was not"),
];

/** Treats a rekey that is not under way as verified only if the program sets `adopt`. */
export function notUnderWay({ inputs, keep }: Work): Learnt {
  if (inputs.adopt !== true) {
    throw new ActionableError(
      `the rekey ${wordIn(inputs.rekeyNonce)} is not under way: it was verified, or cancelled, or lost with an active server that ended, and nothing on the service tells which; nothing was done.`,
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
    `the answer to the last new share ${answer}, and the rekey ${wordIn(inputs.rekeyNonce)} is over: that share completed it, or somebody cancelled it in the same moment, or it was lost with the active server. Nothing on the service tells which key is in force: keep the shares of both.`,
    WHERE_OVER,
    { outcome: "unknown", changedBy: "unknown" },
  );
}
