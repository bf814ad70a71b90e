import { setTimeout as delay } from "node:timers/promises";

/** Clock, timers and chance, handed in so that tests need no real time. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs something after so many milliseconds, unless what this returns is called before. No process waits for it. */
  after(ms: number, run: () => void): () => void;
  /** At least 0, less than 1. */
  random(): number;
}

/** The longest that a timer of Node's can be. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's own clock, timers and chance. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal && { signal });
  },
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER)).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
