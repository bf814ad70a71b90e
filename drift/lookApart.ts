import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { UnreadableState } from "../stacks/deployment";
import type { LookOptions } from "./look";
import type { DriftReport } from "./report";

/** What a thread is asked: of a look's options those that can be handed to it. */
export interface Asked extends Pick<LookOptions, "configuration"> {
  /** An exported state, its secrets shown, in UTF-8. It is handed over: whoever asks has it no more. */
  readonly state: Uint8Array;
  /** Patterns of `isChosen`; all resources are looked at where there is none. */
  readonly only: readonly string[];
}

/** What a thread tells, the last two at its end. */
export type Told =
  | { readonly kind: "progress"; readonly done: number; readonly all: number }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "report"; readonly report: DriftReport }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * A look in a thread of its own, because a thread's memory can be told to follow what it holds. A look keeps little of all
 * that it makes (of 10,000 resources 50 MB of 1.7 GB), and what is made lately may otherwise grow to 128 MB before any of
 * it is given back, and what is older to several times of what is needed.
 * @throws UnreadableState where the text is no exported state with its secrets shown
 */
export async function lookApart(
  asked: Asked,
  hears: Pick<LookOptions, "progress" | "warn">,
): Promise<DriftReport> {
  const { state } = asked;
  const thread = new Worker(join(__dirname, "lookThread.js"), {
    workerData: asked,
    // A part of a larger piece of memory, as small files are read to, is copied.
    transferList: state.byteLength === state.buffer.byteLength ? [state.buffer as ArrayBuffer] : [],
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: mostFor(state.byteLength) },
  });
  let end: Told | undefined;
  thread.on("message", (told: Told) => {
    if (told.kind === "progress") hears.progress?.(told.done, told.all);
    else if (told.kind === "warning") hears.warn?.(told.text);
    else end = told;
  });
  // Only when the thread has ended is its memory given back.
  await new Promise((resolve, reject) => thread.once("error", reject).once("exit", resolve));
  if (end?.kind === "report") return end.report;
  if (end?.kind === "unreadable") throw new UnreadableState(end.why);
  throw new Error("the look ended without a report");
}

/** The most that a thread may keep, in MB: a bound that no look comes near, and below which V8 is the thriftier the lower it is. */
function mostFor(bytes: number): number {
  return 1024 + Math.ceil((8 * bytes) / 2 ** 20);
}
