import type { Runtime } from "../../provider/core/http/options";

/** Something that is due. */
interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/**
 * A runtime whose time passes only while everybody waits for it: minutes of waiting cost nothing, and what comes first is
 * the same on every run.
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
   * Lets time pass until a promise has an end.
   * @throws Error where it never will: nobody waits for anything any more, or for longer than a day
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

  /** What is due once a thread has ended what it does for us (it decompresses an answer): that takes real time. */
  async #fromElsewhere(isOver: () => boolean): Promise<Timer | undefined> {
    for (let waits = 0; waits < MOST_WAITS && !isOver() && this.#timers.size === 0; waits++)
      await new Promise((resolve) => setTimeout(resolve, 1));
    return this.#first();
  }

  /** Of those that are due at the same time, the one that began to wait first. */
  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  }
}

const LONGEST_MS = 24 * 3_600_000;

/** How often a thread is waited for, a millisecond or more at a time: on a busy machine each wait takes longer, too. */
const MOST_WAITS = 2000;

/** Until whatever can go on without time has gone on: all of it is in this process, so one turn of the loop is enough. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
