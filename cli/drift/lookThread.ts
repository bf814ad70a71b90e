// The entry point of the worker thread that lookInThread.ts starts.
import { parentPort, workerData } from "node:worker_threads";
import { UnreadableState } from "../state/deployment";
import { isChosen } from "./choice";
import { look } from "./look";
import type { ThreadInput, ThreadMessage } from "./lookInThread";

const { only, ...asked }: ThreadInput = workerData;

/** The number of resources between two progress messages. */
const STEP = 16;

async function run(): Promise<void> {
  try {
    const report = await look({
      ...asked,
      only: (resource) => isChosen(only, resource),
      warn: (text) => post({ kind: "warning", text }),
      progress: (done, all) => {
        if (done % STEP === 0 || done === all) post({ kind: "progress", done, all });
      },
    });
    post({ kind: "report", report });
  } catch (error) {
    // Errors lose their class when they are passed between threads.
    if (!(error instanceof UnreadableState)) throw error;
    post({ kind: "unreadable", why: error.message });
  }
}

function post(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

void run();
