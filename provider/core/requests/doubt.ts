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
        : `it could not be looked at: ${outcome.lookError.message}`;
    return `${why.message} Whether it was carried out is not known: ${reason}`;
  }
  if (why.isOwnRefusal) return why.message;
  if (outcome.isBlind)
    return `${why.message} Whether it was carried out is not known: the service never shows what it writes.`;
  return why.mayStillHappen
    ? `${why.message} The service showed nothing of it within ${GRACE_MS / 1000} s; it may still be carried out.`
    : `${why.message} It was looked at, and was not carried out.`;
}

/** The error of a write that was not seen to happen: the service's own no, or what is known and what to do next. */
export function doubtError(outcome: Unproven, next = "the same command again"): Error {
  const isRefused = outcome.kind === "not shown" && outcome.why.isOwnRefusal;
  return isRefused ? outcome.why : new Error(`${doubtOf(outcome)} Next: ${next}.`);
}
