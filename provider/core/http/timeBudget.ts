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

/** What ends a request's time budget early, or at its end. */
export type Ending = "cancelled" | "deadline";

/**
 * How long one request may go on, with all its attempts and waits. Its signal is aborted when the caller gives
 * up or the deadline passes. Slept time counts even by a clock that stands still.
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

  /** Aborted at the end, with an {@link Ending} as its reason. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why nothing goes on, where that is so. */
  get ending(): Ending | undefined {
    // Only `#end` aborts it, always with an Ending.
    return this.signal.aborted ? (this.signal.reason as Ending) : undefined;
  }

  /** Milliseconds left. */
  get remaining(): number {
    return this.#budget - Math.max(this.runtime.now() - this.#start, this.#slept);
  }

  /** Begins anew with so much time; what has ended stays so. */
  renew(budget: number): void {
    this.#stopTimer();
    this.#budget = budget;
    this.#start = this.runtime.now();
    this.#slept = 0;
    this.#stopTimer = this.#endAfter(budget);
  }

  /** Waits; returns early, without a throw, when the budget ends. */
  async sleep(ms: number): Promise<void> {
    this.#slept += ms;
    try {
      await this.runtime.sleep(ms, this.signal);
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
  }

  /** Lets go of timer and listener. */
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
