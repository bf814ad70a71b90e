import { backoff } from "../http/retry";
import { AdvisedError, again, toldBy, type WayOn } from "../http/waysOn";
import type { Observation } from "../language/object";
import type { RequestContext } from "../language/stepInput";
import { equalJson } from "../value/json";
import { GRACE_MS } from "./send";
import type { Became } from "./sendOnce";

/** The outcome of a write that no probe confirmed. */
export type Unproven = Exclude<Became<unknown>, { kind: "shown" }>;

/** Describes for the user the known and unknown facts about such a write. */
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

/** The error of a write that a probe did not find. As far as is known, the request is no longer on its way. */
export class NotShown extends AdvisedError {}

/** The error of a write that no probe confirmed: the server's own rejection, or the known facts and the next step. */
export function doubtError(outcome: Unproven, next: WayOn = again()): AdvisedError {
  if (outcome.kind === "not shown" && outcome.why.isOwnRefusal) return outcome.why;
  const isNotShown = outcome.kind === "not shown" && !outcome.isBlind && !outcome.why.mayStillHappen;
  return new (isNotShown ? NotShown : AdvisedError)(doubtOf(outcome), [next]);
}

/** The object changed between the read and the resend of a write. The server applied nothing. */
export class MovedMeanwhile extends Error {
  override readonly name = "MovedMeanwhile";
  readonly kind = "moved";
  /** @param found the object as it is now; undefined if it was deleted */
  constructor(readonly found: Observation | undefined) {
    super("the object moved before the write was sent again");
  }
}

/**
 * The check before the resend of a write that no check of the service prevents from overwriting changes by others. It
 * verifies that the object is still the one that the write is based on.
 * @param current the object at the previous read; undefined if it did not exist
 */
export function unmoved(
  look: () => Promise<Observation | undefined>,
  current: Observation | undefined,
): () => Promise<void> {
  return async () => {
    const found = await look();
    const isSame = found === undefined ? current === undefined : equalJson(found.body, current?.body ?? null);
    if (!isSame) throw new MovedMeanwhile(found);
  };
}

/** The outcome of a write, or the error that its object changed before the resend. */
export async function orMoved<Outcome>(written: Promise<Outcome>): Promise<Outcome | MovedMeanwhile> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof MovedMeanwhile) return error;
    throw error;
  }
}

/** The maximum number of attempts for a write that each probe shows was not applied. */
const MOST_TRIES = 4;

/**
 * Waits before the next attempt of a write that a probe shows was not applied. Returns false if there must be no further
 * attempt: there were enough attempts, the operation's time ends first, or the operation was cancelled.
 * @param tries the number of attempts so far
 */
export async function isSentOnceMore(
  { connection, deadline, signal }: Pick<RequestContext, "connection" | "deadline" | "signal">,
  tries: number,
): Promise<boolean> {
  const { runtime } = connection;
  // A broken connection may work again immediately. Longer problems get a delay.
  const wait = tries === 1 ? 0 : backoff(tries - 1, runtime.random());
  const isOver = () => (signal?.aborted ?? false) || runtime.now() + wait >= deadline;
  if (tries >= MOST_TRIES || isOver()) return false;
  if (wait > 0) await runtime.sleep(wait, signal).catch(() => undefined);
  return !isOver();
}
