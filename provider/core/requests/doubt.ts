import { backoff } from "../http/retry";
import { AdvisedError, again, toldBy, type WayOn } from "../http/waysOn";
import type { Observation } from "../language/object";
import type { RequestContext } from "../language/stepInput";
import { equalJson } from "../value/json";
import { GRACE_MS } from "./send";
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

/** What a write was made from is another by the time at which it would be sent again; nothing of it was carried out. */
export class MovedMeanwhile extends Error {
  override readonly name = "MovedMeanwhile";
  readonly kind = "moved";
  /** @param found what is there now; nothing where it is gone */
  constructor(readonly found: Observation | undefined) {
    super("the object moved before the write was sent again");
  }
}

/**
 * What a write asks before it is sent again that no check of the service keeps from going over others' edits: whether the
 * object still is what it was made from.
 * @param current what was there at the look before it; nothing where it was not there
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

/** How a write went, or that what it was made from has moved before it was sent again. */
export async function orMoved<Outcome>(written: Promise<Outcome>): Promise<Outcome | MovedMeanwhile> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof MovedMeanwhile) return error;
    throw error;
  }
}

/** How often a write is sent at most that each look has shown not to have happened. */
const MOST_TRIES = 4;

/**
 * Waits before a write is sent once more that a look has shown not to have happened; false where it is not to be sent: it
 * was tried often enough, the operation's time ends before, or it was cancelled.
 * @param tries how often it was sent so far
 */
export async function isSentOnceMore(
  { connection, deadline, signal }: Pick<RequestContext, "connection" | "deadline" | "signal">,
  tries: number,
): Promise<boolean> {
  const { runtime } = connection;
  // A connection that broke may be up again at once; whatever goes on longer is given time.
  const wait = tries === 1 ? 0 : backoff(tries - 1, runtime.random());
  const isOver = () => (signal?.aborted ?? false) || runtime.now() + wait >= deadline;
  if (tries >= MOST_TRIES || isOver()) return false;
  if (wait > 0) await runtime.sleep(wait, signal).catch(() => undefined);
  return !isOver();
}
