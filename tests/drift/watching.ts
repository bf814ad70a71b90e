import { type WatchEvent, type WatchOptions, watch } from "../../cli/drift";

const MOST_WAITS = 6000;

/** A running watch, and its events. */
export function watching(options: Omit<WatchOptions, "signal" | "env">) {
  const ending = new AbortController();
  const told: WatchEvent[] = [];
  const done = (async () => {
    for await (const event of watch({ env: {}, signal: ending.signal, ...options })) told.push(event);
  })();
  const end = async () => {
    ending.abort();
    await done;
    return told.at(-1);
  };
  /**
   * Waits until a condition is true of the events so far. A busy machine makes the waits longer, not fewer.
   * @param most how often it waits, 10 ms or more at a time
   */
  const until = async (isSo: () => boolean, what: string, most = MOST_WAITS) => {
    for (let waits = 0; !isSo(); waits++) {
      if (waits > most) throw new Error(`${what}: ${JSON.stringify(told.slice(-5))}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const ofKind = <Kind extends WatchEvent["event"]>(kind: Kind) =>
    told.filter((event): event is Extract<WatchEvent, { event: Kind }> => event.event === kind);
  return { told, end, until, ofKind };
}
