import type { Runtime } from "../http/runtime";

/** Milliseconds that all deeds together may take: an engine waits a second before it kills. */
const LONGEST_MS = 800;

/** The timer by which they are waited for. */
type Timer = Pick<Runtime, "sleep">;

type Deed = () => Promise<unknown>;

const deeds = new Set<Deed>();
let isListening = false;

/**
 * Has something done before this process ends: where it ends by itself, and on a signal, unless somebody else listens to
 * those, who then calls {@link lastDeeds}.
 */
export function beforeEnd(deed: Deed, timer: Timer): void {
  deeds.add(deed);
  if (isListening) return;
  isListening = true;
  process.once("beforeExit", () => void lastDeeds(timer));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => void lastDeeds(timer).finally(() => process.kill(process.pid, signal)));
  }
}

/** Does, once, what is to be done before the end; none of it may fail the end, or keep it waiting. */
export async function lastDeeds({ sleep }: Timer): Promise<void> {
  const now = [...deeds];
  deeds.clear();
  if (now.length === 0) return;
  const isOver = new AbortController();
  const over = sleep(LONGEST_MS, isOver.signal).catch(() => undefined);
  await Promise.race([Promise.allSettled(now.map((deed) => deed())), over]);
  isOver.abort();
}
