import { styleText } from "node:util";
import { hangWords, indentWords } from "../columns";
import { visibleIn } from "../visible";
import { exitCodeOf, stackIn, summaryOf, timeInWords } from "./report";
import { resourceText } from "./text";
import type { WatchEvent } from "./watch/events";
import type { WatchOptions } from "./watch/options";

/** Output options of a watch. */
interface WatchOutput {
  readonly json?: true;
  readonly verbose?: boolean;
  readonly interval?: number;
}

/** `quarterdeck drift --watch`: runs until it is interrupted, or its standard output is closed. */
export async function runWatch(
  watched: Omit<WatchOptions, "signal" | "interval">,
  { json, verbose = false, interval }: WatchOutput,
): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  process.stdout.on("error", end);
  // The module loads the provider, which other commands do not need.
  const { watch } = require("./watch/watch") as typeof import("./watch/watch");
  const events = watch({
    ...watched,
    ...(interval !== undefined && { interval }),
    signal: ending.signal,
  });
  for await (const event of events) {
    console.log(json ? JSON.stringify(event) : eventText(event, verbose).join("\n"));
    if (event.event === "ended") process.exitCode = exitCodeOf(event);
  }
}

/** Formats an event of a watch for a terminal. */
export function eventText(original: WatchEvent, verbose: boolean): string[] {
  const event = visibleIn(original);
  const at = timeInWords(event.at);
  switch (event.event) {
    case "began": {
      const stack = stackIn(event);
      return [
        ...hangWords(`${at}  ${stack === undefined ? "" : `${stack}: `}`, summaryOf(event), 2),
        `  ${event.waiting} watched live, ${event.polled} polled every ${event.interval} s`,
      ];
    }
    case "resource":
      return resourceText(event, verbose, [], at);
    case "blind":
      return connectionText(event, "disconnected", [`last read: ${timeInWords(event.since)}`, event.why]);
    case "sees":
      return connectionText(event, "reconnected", [`after ${event.seconds.toFixed(1)} s`]);
    case "polling":
      return connectionText(event, "polling", [
        "The server refuses the list, so Quarterdeck polls each resource.",
        event.why,
      ]);
    case "ended":
      return hangWords(`${at}  `, summaryOf(event), 2);
  }
}

const COLORS = { disconnected: "red", reconnected: "green", polling: "yellow" } as const;

function connectionText(
  { at, service, settings }: Extract<WatchEvent, { readonly service: string }>,
  word: keyof typeof COLORS,
  details: readonly string[],
): string[] {
  const [first = "", ...more] = hangWords(`${timeInWords(at)}  ${word}  ${service} `, `(${settings})`, 2);
  return [
    first.replace(word, styleText(COLORS[word], word)),
    ...more,
    ...details.flatMap((text) => indentWords(text, 2)),
  ];
}
