import { AdvisedError, edited, type Learnt, set, type Work, wordIn } from "../../../core";

/** What to do about a rekey that is over, of which nobody knows how. */
const WHERE_OVER = [
  set("adopt", true, { more: " where it was verified" }),
  edited("change the triggers of the RecoveryKeyRekey where it was not"),
];

/** A rekey that is not under way is taken for verified only if the program says so. */
export function notUnderWay({ inputs, keep }: Work): Learnt {
  if (inputs.adopt !== true) {
    throw new AdvisedError(
      `the rekey ${wordIn(inputs.rekeyNonce)} is not under way: it was verified, or cancelled, or lost with an active server that ended, and nothing on the service tells which; nothing was done.`,
      WHERE_OVER,
    );
  }
  const known: Learnt = { phase: "complete" };
  keep(known);
  return known;
}

/** A rekey that is over after its last new share, whose answer did not say why: nothing shows which key is in force. */
export function overAfter({ inputs }: Work, answer: string): AdvisedError {
  return new AdvisedError(
    `the answer to the last new share ${answer}, and the rekey ${wordIn(inputs.rekeyNonce)} is over: that share completed it, or somebody cancelled it in the same moment, or it was lost with the active server. Nothing on the service tells which key is in force: keep the shares of both.`,
    WHERE_OVER,
  );
}
