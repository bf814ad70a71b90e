import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { UnreadableState } from "../state/deployment";
import type { LookOptions } from "./look";
import type { DriftReport } from "./report";

/** The input of the worker thread: the options of a drift check that can be transferred to it. */
export interface ThreadInput extends Pick<LookOptions, "configuration"> {
  /**
   * An exported state with its secrets in plain text, in UTF-8. The buffer is transferred: the caller can no longer use it.
   */
  readonly state: Uint8Array;
  /** Patterns of `isChosen`; an empty list selects all resources. */
  readonly only: readonly string[];
}

/** The messages of the worker thread. `report` and `unreadable` end it. */
export type ThreadMessage =
  | { readonly kind: "progress"; readonly done: number; readonly all: number }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "report"; readonly report: DriftReport }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Runs the check in a worker thread, because V8 can limit the memory of a worker. A check retains little of its allocations
 * (50 MB of 1.7 GB for 10,000 resources). Without limits, the young generation may grow to 128 MB before a collection, and
 * the old generation to several times the size that it needs.
 * @throws UnreadableState if the text is not an exported state with its secrets in plain text
 */
export async function lookInThread(
  asked: ThreadInput,
  hears: Pick<LookOptions, "progress" | "warn">,
): Promise<DriftReport> {
  const { state } = asked;
  const thread = new Worker(join(__dirname, "lookThread.js"), {
    workerData: asked,
    // Only a complete buffer can be transferred. Small files are read into a slice of a pooled buffer, which is copied.
    transferList: state.byteLength === state.buffer.byteLength ? [state.buffer as ArrayBuffer] : [],
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: mostFor(state.byteLength) },
  });
  let end: ThreadMessage | undefined;
  thread.on("message", (message: ThreadMessage) => {
    if (message.kind === "progress") hears.progress?.(message.done, message.all);
    else if (message.kind === "warning") hears.warn?.(message.text);
    else end = message;
  });
  // The thread's memory is freed only when the thread has ended.
  await new Promise((resolve, reject) => thread.once("error", reject).once("exit", resolve));
  if (end?.kind === "report") return end.report;
  if (end?.kind === "unreadable") throw new UnreadableState(end.why);
  throw new Error("the check ended without a report");
}

/** The limit of the thread's old generation in MB. No check comes near it; V8 uses less memory with a lower limit. */
function mostFor(bytes: number): number {
  return 1024 + Math.ceil((8 * bytes) / 2 ** 20);
}
