import { resourcesIn } from "../../stacks/deployment";
import { chosen, look } from "../look";
import { countsOf } from "../report";
import type { WatchEvent } from "./events";
import type { WatchOptions } from "./options";
import { Watcher } from "./watcher";

const USUAL_INTERVAL_S = 30;

/**
 * Looks at every resource of an exported state, then tells whenever one of them is in another state, until the signal
 * ends it. Where a service has blocking queries a drift is told as soon as it tells of it; elsewhere resources are looked
 * at every interval. It goes on through lost connections, tells when it was blind, and writes nothing anywhere.
 * @throws UnreadableState where the text is no exported state with its secrets shown
 */
export async function* watch(options: WatchOptions): AsyncGenerator<WatchEvent, void, void> {
  const { state, signal, only = () => true, passing = (report) => report } = options;
  const { interval = USUAL_INTERVAL_S } = options;
  const all = resourcesIn(state);
  const watcher = new Watcher(all, chosen(all, only), { ...options, interval, passing });
  try {
    await watcher.hear();
    const first = signal.aborted ? undefined : await look(options).catch(endedBy(signal));
    if (first !== undefined) watcher.begin(first);
    if (first !== undefined) yield* watcher.events();
    const reports = watcher.reports();
    yield { event: "ended", at: new Date().toISOString(), counts: countsOf(reports) };
  } finally {
    watcher.close();
  }
}

/** What was given up because the watch was ended is no error. */
function endedBy(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
