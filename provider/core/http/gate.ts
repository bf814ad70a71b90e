import type { Runtime, TimeBudget } from "./timeBudget";

/**
 * The order in which the gate admits waiting requests: probes after an unknown outcome, retries, writes that follow a read,
 * new requests.
 */
const TURNS = ["after a write", "again", "after a read", "first"] as const;

export type QueuePriority = (typeof TURNS)[number];

/**
 * Limits the requests of a client: admits a maximum number at a time, and none during the server's rate limit. Probes after
 * an unknown outcome are first, because their time limit is short. Retries precede new requests, so that many new requests
 * cannot starve a retry. A write that follows a read precedes requests that start something, because it overwrites any
 * change made since the read.
 */
export class Gate {
  readonly #waiting: Readonly<Record<QueuePriority, Waiter[]>> = {
    "after a write": [],
    again: [],
    "after a read": [],
    first: [],
  };
  #free: number;
  #closedUntil = 0;
  #through = 0;

  constructor(
    private readonly runtime: Runtime,
    slots: number,
  ) {
    this.#free = slots;
  }

  /** Waits for a slot. Returns a function that releases the slot, or undefined if the time budget ends first. */
  async enter(timeBudget: TimeBudget, turn: QueuePriority): Promise<(() => void) | undefined> {
    if (!(await this.#slot(timeBudget, turn))) return undefined;
    if (await this.waitUntilOpen(timeBudget)) return () => this.#leave();
    this.#leave();
    return undefined;
  }

  /** How many requests the server has accepted, without those that its rate limit rejected. */
  get through(): number {
    return this.#through;
  }

  /** Counts a request that the server accepted. */
  countThrough(): void {
    this.#through += 1;
  }

  /** Admits no request for this many milliseconds. */
  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.runtime.now() + ms);
  }

  /** Waits until the rate limit is over, without releasing the slot. Returns false if the time budget ends first. */
  async waitUntilOpen(timeBudget: TimeBudget): Promise<boolean> {
    for (;;) {
      const until = this.#closedUntil;
      const wait = until - this.runtime.now();
      if (wait <= 0) return timeBudget.ending === undefined;
      if (wait > timeBudget.remaining) return false;
      await timeBudget.sleep(wait);
      if (timeBudget.ending !== undefined) return false;
      // Another 429 may have closed the gate again. Otherwise the wait is over, even if the clock has not advanced.
      if (this.#closedUntil === until) return true;
    }
  }

  #slot(timeBudget: TimeBudget, turn: QueuePriority): Promise<boolean> {
    if (timeBudget.ending !== undefined) return Promise.resolve(false);
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
        timeBudget.signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      queue.push(enter);
      timeBudget.signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /**
   * Passes the slot to the next request. A new request gets it only after the last caller had time to send a follow-up
   * request.
   */
  #leave(): void {
    if (this.#nextTurn() === "first") setImmediate(() => this.#handOn());
    else this.#handOn();
  }

  #handOn(): void {
    const turn = this.#nextTurn();
    const next = turn && this.#waiting[turn].shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #nextTurn(): QueuePriority | undefined {
    return TURNS.find((turn) => this.#waiting[turn].length > 0);
  }
}

type Waiter = () => void;
