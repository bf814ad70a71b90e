import { readFileSync } from "node:fs";

/** The real process object, on which the test runner listens. Tests get a copy of it. */
const runner = (readFileSync.constructor as FunctionConstructor)("return process")() as NodeJS.Process;

/**
 * Errors of a program that runs in the test's own process, and its calls that get no response once its
 * deployment has failed, become unhandled rejections. The SDK reports them to the engine. The test runner,
 * which would fail the test, must ignore them. Returns a function that makes the runner listen again.
 */
export function leaveRejectionsToPrograms(): () => Promise<void> {
  const listeners = runner.listeners("unhandledRejection");
  // The SDK listens on the copy of the process object, which emits no such events itself.
  const pass = (reason: unknown, promise: Promise<unknown>) => {
    // The SDK sometimes rejects with `undefined`, which its own listener cannot handle.
    if (reason !== undefined) process.emit("unhandledRejection", reason, promise);
  };
  runner.removeAllListeners("unhandledRejection");
  runner.on("unhandledRejection", pass);
  return async () => {
    // The last rejection is reported in the next turn of the event loop.
    await new Promise(setImmediate);
    runner.off("unhandledRejection", pass);
    for (const listener of listeners) runner.on("unhandledRejection", listener);
  };
}
