import { TimeBudget } from "../../http/timeBudget";
import type { RequestContext } from "../../language/stepInput";

/** Runs something that is told when the time of its step is over, or the step is cancelled. */
export async function withinTime<T>(
  { connection: { runtime }, deadline, signal }: RequestContext,
  run: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = new TimeBudget(runtime, deadline - runtime.now(), signal);
  try {
    return await run(time.signal);
  } finally {
    time.close();
  }
}

/** Waits for what somebody else has begun, as long as its own time lasts; what it fails of is no concern of who waits. */
export async function waited<T>(begun: Promise<T>, ended: AbortSignal): Promise<T | undefined> {
  const over = new Promise<undefined>((resolve) => {
    ended.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([begun.catch(() => undefined), over]);
}
