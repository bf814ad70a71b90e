import { type WatchEvent, type WatchOptions, watch } from "../../drift";

/** A watch that is under way, and what it told. */
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
  /** Waits until what was told is so; how long that took, in milliseconds. */
  const until = async (isSo: () => boolean, what: string, ms = 60_000) => {
    const began = Date.now();
    while (!isSo()) {
      if (Date.now() - began > ms) throw new Error(`${what}: ${JSON.stringify(told.slice(-5))}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return Date.now() - began;
  };
  const ofKind = <Kind extends WatchEvent["event"]>(kind: Kind) =>
    told.filter((event): event is Extract<WatchEvent, { event: Kind }> => event.event === kind);
  return { told, end, until, ofKind };
}
