import type { Patience } from "./patience";
import type { Runtime } from "./runtime";

/** Whose turn it is where several wait: whoever must know what became of a write, who comes again, everybody else. */
const TURNS = ["after a write", "again", "first"] as const;
export type Turn = (typeof TURNS)[number];

/**
 * The one gate that all requests of a client pass: so many at once, and none while the service's rate limit
 * holds. Looks after an unclear write go before all others, because their grace is short; who comes again goes before
 * who comes first, so that a crowd cannot starve a request of its retries.
 */
export class Gate {
  readonly #waiting: Readonly<Record<Turn, Waiter[]>> = { "after a write": [], again: [], first: [] };
  #free: number;
  #closedUntil = 0;

  constructor(
    private readonly runtime: Runtime,
    places: number,
  ) {
    this.#free = places;
  }

  /** Waits for a place; returns what gives it back, or undefined where patience ends before. */
  async enter(patience: Patience, turn: Turn): Promise<(() => void) | undefined> {
    if (!(await this.#place(patience, turn))) return undefined;
    if (await this.isOpened(patience)) return () => this.#leave();
    this.#leave();
    return undefined;
  }

  /** Lets nobody in for so many milliseconds. */
  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.runtime.now() + ms);
  }

  /** Waits until it is open, with a place in hand; false where patience ends before. */
  async isOpened(patience: Patience): Promise<boolean> {
    for (;;) {
      const until = this.#closedUntil;
      const wait = until - this.runtime.now();
      if (wait <= 0) return patience.ending === undefined;
      if (wait > patience.remaining) return false;
      await patience.sleep(wait);
      if (patience.ending !== undefined) return false;
      // Another refusal meanwhile closed it again; else the wait is over, even by a clock that stands still.
      if (this.#closedUntil === until) return true;
    }
  }

  #place(patience: Patience, turn: Turn): Promise<boolean> {
    if (patience.ending !== undefined) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    const queue = this.#waiting[turn];
    return new Promise((resolve) => {
      const giveUp = () => {
        queue.splice(queue.indexOf(enter), 1);
        resolve(false);
      };
      const enter: Waiter = () => {
        patience.signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      queue.push(enter);
      patience.signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #leave(): void {
    const next = TURNS.map((turn) => this.#waiting[turn])
      .find((queue) => queue.length > 0)
      ?.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

type Waiter = () => void;
