import type { Runtime } from "./options";

/**
 * The order in which the gate admits waiting requests: probes after an unknown outcome, retries, writes that follow a read,
 * new requests.
 */
export type QueuePriority = "after a write" | "again" | "after a read" | "first";

type Waiter = () => void;

/**
 * Limits the requests of a client: admits a maximum number at a time, and none during the server's rate limit. Probes after
 * an unknown outcome are first, because their time limit is short. Retries precede new requests, so that many new requests
 * cannot starve a retry. A write that follows a read precedes requests that start something, because it overwrites any
 * change made since the read.
 */
export class Gate {
  readonly #queues: Readonly<Record<QueuePriority, Waiter[]>> = {
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
  async enter(timeBudget: TimeBudget, priority: QueuePriority): Promise<(() => void) | undefined> {
    if (!(await this.#slot(timeBudget, priority))) return undefined;
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

  async #slot({ ending, signal }: TimeBudget, priority: QueuePriority): Promise<boolean> {
    if (ending !== undefined) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const queue = this.#queues[priority];
    return new Promise((resolve) => {
      const giveUp = () => {
        queue.splice(queue.indexOf(enter), 1);
        resolve(false);
      };
      const enter: Waiter = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      queue.push(enter);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /**
   * Passes the slot to the next request. A new request gets it only after the last caller had time to send a follow-up
   * request.
   */
  #leave(): void {
    const admitNext = () => {
      const next = this.#nextQueue()?.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
    if (this.#nextQueue() === this.#queues.first) setImmediate(admitNext);
    else admitNext();
  }

  #nextQueue(): Waiter[] | undefined {
    return Object.values(this.#queues).find((queue) => queue.length > 0);
  }
}

/** Why a request's time budget ended: the caller canceled, or the deadline passed. */
export type Ending = "canceled" | "deadline";

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

  readonly #cancel = (): void => this.#end("canceled");

  #endAfter(ms: number): () => void {
    return this.runtime.after(ms, () => this.#end("deadline"));
  }

  #end(ending: Ending): void {
    if (!this.signal.aborted) this.#ending.abort(ending);
  }
}
