import { AdvisedError, again, toldBy, type WayOn } from "../http/waysOn";
import { GRACE_MS } from "./lookContext";
import type { Became } from "./sendOnce";

/** What became of a write that nobody saw happen. */
export type Unproven = Exclude<Became<unknown>, { kind: "shown" }>;

/** What is known of such a write, and what is not, for the person who must act. */
export function doubtOf(outcome: Unproven): string {
  const { why } = outcome;
  if (outcome.kind === "open") {
    const reason =
      outcome.lookError === undefined
        ? "the service does not show it."
        : `it could not be looked at: ${toldBy(outcome.lookError)}`;
    return `${why.told} Whether it was carried out is not known: ${reason}`;
  }
  if (why.isOwnRefusal) return why.told;
  if (outcome.isBlind)
    return `${why.told} Whether it was carried out is not known: the service never shows what it writes.`;
  return why.mayStillHappen
    ? `${why.told} The service showed nothing of it within ${GRACE_MS / 1000} s; it may still be carried out.`
    : `${why.told} It was looked at, and the service shows nothing of it.`;
}

/** A write that was looked at, and of which the service shows nothing; as far as is known nothing of it is on its way. */
export class NotShown extends AdvisedError {}

/** The error of a write that was not seen to happen: the service's own no, or what is known and what to do next. */
export function doubtError(outcome: Unproven, next: WayOn = again()): AdvisedError {
  if (outcome.kind === "not shown" && outcome.why.isOwnRefusal) return outcome.why;
  const isNotShown = outcome.kind === "not shown" && !outcome.isBlind && !outcome.why.mayStillHappen;
  return new (isNotShown ? NotShown : AdvisedError)(doubtOf(outcome), [next]);
}
