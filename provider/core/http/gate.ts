import type { HttpRequest } from "./request";
import type { Runtime, TimeBudget } from "./timeBudget";

/**
 * The order in which waiting requests are let through: looks after an unclear write, repeated requests, writes after a look,
 * new ones.
 */
const TURNS = ["after a write", "again", "after a look", "first"] as const;
export type Turn = (typeof TURNS)[number];

/**
 * Limits the requests of a client: so many at once, and none while the service's rate limit holds. Looks after an unclear
 * write go first, because their grace is short; repeated requests go before new ones, so that many new requests cannot
 * starve one of its retries; and what changes something that was just looked at goes before what only begins, because all
 * that somebody else writes meanwhile is lost.
 */
export class Gate {
  readonly #waiting: Readonly<Record<Turn, Waiter[]>> = {
    "after a write": [],
    again: [],
    "after a look": [],
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

  /** Waits for a slot; returns what gives it back, or undefined where the time budget ends first. */
  async enter(timeBudget: TimeBudget, turn: Turn): Promise<(() => void) | undefined> {
    if (!(await this.#slot(timeBudget, turn))) return undefined;
    if (await this.isOpened(timeBudget)) return () => this.#leave();
    this.#leave();
    return undefined;
  }

  /** How many requests the service has taken, and not refused for its rate limit. */
  get through(): number {
    return this.#through;
  }

  /** The service has taken one. */
  countThrough(): void {
    this.#through += 1;
  }

  /** Lets nobody in for so many milliseconds. */
  closeFor(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.runtime.now() + ms);
  }

  /** Waits, holding a slot, until the rate limit is over; false where the time budget ends first. */
  async isOpened(timeBudget: TimeBudget): Promise<boolean> {
    for (;;) {
      const until = this.#closedUntil;
      const wait = until - this.runtime.now();
      if (wait <= 0) return timeBudget.ending === undefined;
      if (wait > timeBudget.remaining) return false;
      await timeBudget.sleep(wait);
      if (timeBudget.ending !== undefined) return false;
      // Another refusal meanwhile closed it again; else the wait is over, even by a clock that stands still.
      if (this.#closedUntil === until) return true;
    }
  }

  #slot(timeBudget: TimeBudget, turn: Turn): Promise<boolean> {
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

  /** Hands the slot on; to a new request only once whoever was just answered has had time to send what follows. */
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

  #nextTurn(): Turn | undefined {
    return TURNS.find((turn) => this.#waiting[turn].length > 0);
  }
}

type Waiter = () => void;

/** Milliseconds after a look from which on what follows it is late. */
const LATE_MS = 500;

/** How often it is looked again in a row: a service that is slower than that for each request is not asked for ever. */
const MOST_LATE_LOOKS = 3;

/** The looks of one request that has to look again because its turn came so late that what it changes may be another by now. */
export class LateLooks {
  #inARow = 0;

  /** Whether it has to look again before it is sent; asked each time that its turn has come. */
  isDue({ lookedAt }: Pick<HttpRequest, "lookedAt">, now: number): boolean {
    const isLate = lookedAt !== undefined && now - lookedAt() > LATE_MS;
    const isDue = isLate && this.#inARow < MOST_LATE_LOOKS;
    this.#inARow = isDue ? this.#inARow + 1 : 0;
    return isDue;
  }
}
