import { backoff } from "../http/retry";
import type { RequestContext } from "../language/stepInput";

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
