/**
 * The mock servers' clock: real time plus an offset that tests add. It never goes backward, so tests can step through
 * leases, lock times and blocking queries without waiting.
 */
export class StubClock {
  readonly #start: () => number;
  #ahead = 0;
  readonly #waiting = new Set<() => void>();

  /** `start` is the underlying time; a constant one makes a clock that only tests advance. */
  constructor(start: () => number = Date.now) {
    this.#start = start;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#start() + this.#ahead;
  }

  /** Advances the clock, and wakes everything that waits for a time that has now passed. */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError(`a clock moves ahead only, not by ${milliseconds}`);
    this.#ahead += milliseconds;
    for (const look of [...this.#waiting]) look();
  }

  /** Resolves at `time`, by this clock, or when `signal` is aborted. */
  async until(time: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.now() >= time) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      clearTimeout(timer);
      const left = time - this.now();
      if (left <= 0) resolve();
      else timer = setTimeout(look, Math.min(left, LONGEST_TIMER)).unref();
    };
    this.#waiting.add(look);
    const end = () => resolve();
    signal.addEventListener("abort", end);
    look();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    this.#waiting.delete(look);
  }
}

/** A longer timer would overflow and fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;
