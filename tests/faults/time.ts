import type { Runtime } from "../../provider/core/http/options";

/** A callback with its time. */
interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/**
 * A runtime whose time passes only while all code waits for it. Long waits take no real time, and the order of events
 * is the same in every run.
 */
export class VirtualTime implements Runtime {
  readonly #timers = new Set<Timer>();
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  now = (): number => this.#now;

  random = (): number => 0.5;

  after = (ms: number, run: () => void): (() => void) => {
    const timer: Timer = { at: this.#now + Math.max(ms, 0), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const give = () => {
        stop();
        reject(signal?.reason);
      };
      const stop = this.after(ms, () => {
        signal?.removeEventListener("abort", give);
        resolve();
      });
      if (signal?.aborted) give();
      else signal?.addEventListener("abort", give, { once: true });
    });

  /**
   * Lets time pass until a promise settles.
   * @throws Error if it never settles: no timer is left, or it takes longer than a day
   */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    const latest = this.#now + LONGEST_MS;
    for (;;) {
      await idle();
      if (isOver) return promise;
      const next = this.#first() ?? (await this.#fromElsewhere(() => isOver));
      if (next === undefined && isOver) return promise;
      if (next === undefined) throw new Error("what is waited for never comes");
      if (next.at > latest) throw new Error("what is waited for takes longer than a day");
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }

  /** The next timer after a thread has finished its work, such as decompressing a response. That takes real time. */
  async #fromElsewhere(isOver: () => boolean): Promise<Timer | undefined> {
    for (let waits = 0; waits < MOST_WAITS && !isOver() && this.#timers.size === 0; waits++)
      await new Promise((resolve) => setTimeout(resolve, 1));
    return this.#first();
  }

  /** The earliest timer. Of several with the same time, the one that was set first. */
  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }
}

const LONGEST_MS = 24 * 3_600_000;

/** The number of waits of at least a millisecond for a thread. On a busy machine each wait takes longer. */
const MOST_WAITS = 2000;

/**
 * Waits until all code that needs no time has run. All of it runs in this process, so one turn of the event loop is
 * enough.
 */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
