/**
 * The stub's clock: real time plus what a test has added. It never goes backwards, so leases, lock times and
 * blocking queries can be walked through without waiting for any of them.
 */
export class StubClock {
  readonly #start: () => number;
  #ahead = 0;
  readonly #waiting = new Set<() => void>();

  /** `start` is the time that the clock goes by; a fixed one makes a clock that only tests move. */
  constructor(start: () => number = Date.now) {
    this.#start = start;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#start() + this.#ahead;
  }

  /** Moves the clock ahead, and with it everything that waits for a time already past. */
  advance(milliseconds: number): void {
    if (!(milliseconds >= 0)) throw new RangeError(`a clock moves ahead only, not by ${milliseconds}`);
    this.#ahead += milliseconds;
    for (const look of [...this.#waiting]) look();
  }

  /** Ends at `time`, by this clock, or when `signal` is aborted. */
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

/** A longer timer would overflow and end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
