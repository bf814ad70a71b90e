import { setTimeout as delay } from "node:timers/promises";

/** Clock, timers and random numbers. Tests inject their own, so that they need no real time. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this many milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Runs a callback after this many milliseconds, unless the returned function is called first. Does not keep the process
   * alive.
   */
  after(ms: number, run: () => void): () => void;
  /** At least 0, less than 1. */
  random(): number;
}

/** The longest delay of a Node timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's own clock, timers and random numbers. */
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

/** Why a request's time budget ended: the caller cancelled, or the deadline passed. */
export type Ending = "cancelled" | "deadline";

/**
 * How long one request may take, with all its attempts and waits. Its signal is aborted when the caller cancels or the
 * deadline passes. Sleeps count even if the clock does not advance.
 */
export class TimeBudget {
  readonly #ending = new AbortController();
  #budget: number;
  #start: number;
  #stopTimer: () => void;
  #slept = 0;

  constructor(
    private readonly runtime: Runtime,
    budget: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.#budget = budget;
    this.#start = runtime.now();
    this.#stopTimer = this.#endAfter(budget);
    if (budget <= 0) this.#end("deadline");
    if (caller?.aborted) this.#cancel();
    caller?.addEventListener("abort", this.#cancel, { once: true });
  }

  /** Aborted when the budget ends, with an {@link Ending} as its reason. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why the budget ended; undefined if it has not ended. */
  get ending(): Ending | undefined {
    // Only `#end` aborts the signal, always with an Ending.
    return this.signal.aborted ? (this.signal.reason as Ending) : undefined;
  }

  /** Milliseconds left. */
  get remaining(): number {
    return this.#budget - Math.max(this.runtime.now() - this.#start, this.#slept);
  }

  /** Restarts the budget with this many milliseconds. A budget that has ended stays ended. */
  renew(budget: number): void {
    this.#stopTimer();
    this.#budget = budget;
    this.#start = this.runtime.now();
    this.#slept = 0;
    this.#stopTimer = this.#endAfter(budget);
  }

  /** Waits. Returns early, without throwing, when the budget ends. */
  async sleep(ms: number): Promise<void> {
    this.#slept += ms;
    try {
      await this.runtime.sleep(ms, this.signal);
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
  }

  /** Stops the timer and removes the listener. */
  close(): void {
    this.#stopTimer();
    this.caller?.removeEventListener("abort", this.#cancel);
  }

  readonly #cancel = (): void => this.#end("cancelled");

  #endAfter(ms: number): () => void {
    return this.runtime.after(ms, () => this.#end("deadline"));
  }

  #end(ending: Ending): void {
    if (!this.signal.aborted) this.#ending.abort(ending);
  }
}
