import { resourcesIn } from "../../state/deployment";
import { selectResources } from "../checkResource";
import { look } from "../look";
import { countsOf } from "../report";
import type { WatchEvent } from "./events";
import type { WatchOptions } from "./options";
import { Watcher } from "./watcher";

const USUAL_INTERVAL_S = 30;

/**
 * Checks every resource of an exported state, then reports every change of a resource's state until the signal aborts. If a
 * server supports blocking queries, drift is reported immediately; other resources are checked every interval. The watch
 * continues through lost connections, reports outages, and writes nothing to any server.
 * @throws UnreadableState if the text is not an exported state with its secrets in plain text
 */
export async function* watch(options: WatchOptions): AsyncGenerator<WatchEvent, void, void> {
  const { state, signal, only = () => true, passing = (report) => report } = options;
  const { interval = USUAL_INTERVAL_S } = options;
  const all = resourcesIn(state);
  const watcher = new Watcher(all, selectResources(all, only), { ...options, interval, passing });
  try {
    await watcher.hear();
    const first = signal.aborted ? undefined : await look(options).catch(ignoreAfterEnd(signal));
    if (first !== undefined) watcher.begin(first);
    if (first !== undefined) yield* watcher.events();
    const reports = watcher.reports();
    yield { event: "ended", at: new Date().toISOString(), counts: countsOf(reports) };
  } finally {
    watcher.close();
  }
}

/** Swallows errors after the watch was ended. */
function ignoreAfterEnd(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
