import type { Runtime } from "../http/options";

/** Time limit for all shutdown hooks together, in milliseconds: an engine waits one second before it kills the process. */
const LONGEST_MS = 800;

/** The timer that limits the shutdown hooks. */
type Timer = Pick<Runtime, "sleep">;

type Task = () => Promise<unknown>;

const tasks = new Set<Task>();
let isListening = false;

/**
 * Registers a hook that runs before this process ends: on `beforeExit`, and on SIGINT and SIGTERM unless the signal already
 * has a listener. That listener must call {@link lastDeeds}.
 */
export function beforeEnd(task: Task, timer: Timer): void {
  tasks.add(task);
  if (isListening) return;
  isListening = true;
  process.once("beforeExit", () => void lastDeeds(timer));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => void lastDeeds(timer).finally(() => process.kill(process.pid, signal)));
  }
}

/** Runs the registered hooks, once. A hook can neither make the exit fail nor delay it beyond `LONGEST_MS`. */
export async function lastDeeds({ sleep }: Timer): Promise<void> {
  const now = [...tasks];
  tasks.clear();
  if (now.length === 0) return;
  const isOver = new AbortController();
  const over = sleep(LONGEST_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(now.map((task) => task())), over]);
  isOver.abort();
}
