import { setTimeout as delay } from "node:timers/promises";

/**
 * Clock, waiting and chance between attempts, handed in so that tests need no real time. What a socket takes
 * is always real time.
 */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, less than 1. */
  random(): number;
}

/** The machine's own clock, timers and chance. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal && { signal });
  },
  random: () => Math.random(),
};
