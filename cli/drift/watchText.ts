import { styleText } from "node:util";
import { visibleIn } from "../visible";
import { exitCodeOf, stackIn, summaryOf, timeInWords } from "./report";
import { resourceText } from "./text";
import type { WatchEvent } from "./watch/events";
import type { WatchOptions } from "./watch/options";

/** Output options of a watch. */
interface Telling {
  readonly json?: true;
  readonly verbose?: boolean;
  readonly interval?: number;
}

/** `quarterdeck drift --watch`: runs until it is interrupted, or its standard output is closed. */
export async function runWatch(
  watched: Omit<WatchOptions, "signal" | "interval">,
  { json, verbose = false, interval }: Telling,
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
export function eventText(told: WatchEvent, verbose: boolean): string[] {
  const event = visibleIn(told);
  const at = timeInWords(event.at);
  switch (event.event) {
    case "began": {
      const stack = stackIn(event);
      return [
        `${at}  ${stack === undefined ? "" : `${stack}: `}${summaryOf(event)}; ${event.waiting} tell of themselves, ${event.polled} are looked at every ${event.interval} s`,
      ];
    }
    case "resource": {
      const [head, ...more] = resourceText(event, verbose);
      return [`${at}  ${head}`, ...more];
    }
    case "blind":
      return [
        `${at}  ${styleText("red", "blind")}  ${event.service} (${event.settings}), since ${timeInWords(event.since)}`,
        ...indentLines(event.why),
      ];
    case "sees":
      return [
        `${at}  ${styleText("green", "sees again")}  ${event.service} (${event.settings}), after ${event.seconds.toFixed(1)} s`,
      ];
    case "polling":
      return [
        `${at}  ${styleText("yellow", "polling")}  ${event.service} (${event.settings}): a list is refused, so that its resources are looked at one by one`,
        ...indentLines(event.why),
      ];
    case "ended":
      return [`${at}  ${summaryOf(event)}`];
  }
}

function indentLines(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
