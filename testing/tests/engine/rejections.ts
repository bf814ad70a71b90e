import { readFileSync } from "node:fs";

/** Where the runner listens: it gives tests a copy of the process object, but Node's own functions know the real one. */
const runner = (readFileSync.constructor as FunctionConstructor)("return process")() as NodeJS.Process;

/**
 * Mistakes of a program that runs in the test's own process, and calls of it that nobody answers once its
 * deployment has failed, become unhandled rejections. The engine hears of them through the SDK; the test runner,
 * which would fail the test, need not. Returns what makes the runner listen again.
 */
export function leaveRejectionsToPrograms(): () => Promise<void> {
  const listeners = runner.listeners("unhandledRejection");
  // The SDK listens on the copy, which hears nothing by itself.
  const pass = (reason: unknown, promise: Promise<unknown>) => {
    // The SDK rejects with nothing at times, which its own listener cannot take.
    if (reason !== undefined) process.emit("unhandledRejection", reason, promise);
  };
  runner.removeAllListeners("unhandledRejection");
  runner.on("unhandledRejection", pass);
  return async () => {
    // What was rejected last is told of in the next turn of the event loop.
    await new Promise(setImmediate);
    runner.off("unhandledRejection", pass);
    for (const listener of listeners) runner.on("unhandledRejection", listener);
  };
}
