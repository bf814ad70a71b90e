/** How long after its end another write may still be the reason to wait, in milliseconds. */
const RECENT_MS = 10_000;

/** The longest wait between two attempts of a blocked write, in milliseconds. */
const LONGEST_WAIT_MS = 5000;

/**
 * The creates, updates and deletes of one command. A write that the server rejects because another resource is not finished may
 * succeed once the other writes of the command have ended.
 */
export class CommandWrites {
  #running = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  /** Runs a write, and counts it while it runs. */
  async run<T>(write: (others: OtherWrites) => Promise<T>): Promise<T> {
    let isCounted = true;
    let waits = 0;
    this.#running += 1;
    const stop = () => {
      if (isCounted) this.#running -= 1;
      isCounted = false;
    };
    try {
      const result = await write({
        waitMs: () => {
          stop();
          const isActive = this.#running > 0 || this.now() - this.#lastEnd < RECENT_MS;
          return isActive ? Math.min(LONGEST_WAIT_MS, 500 * 2 ** waits++) : undefined;
        },
      });
      this.#lastEnd = this.now();
      return result;
    } finally {
      stop();
    }
  }
}

/** The other writes of a command, as a blocked write sees them. */
export interface OtherWrites {
  /**
   * How long a blocked write waits before its next attempt, in milliseconds; undefined if no other write is running and none
   * ended in the last 10 seconds. A write that has waited counts for no other write: blocked writes do not wait for each other.
   */
  waitMs(): number | undefined;
}

/** A rejection that another resource of the same program may cause, because its write is not finished yet. */
export interface BlockedByOthers {
  /** True if another write can lift this rejection. */
  isBlocked(error: Error): boolean;
  /** How to order the program so that it does not occur: the text of a remedy. */
  readonly order: string;
}
