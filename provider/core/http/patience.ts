import type { Runtime } from "./runtime";

/** What ends a request's patience. */
export type Ending = "cancelled" | "deadline";

const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * How long one request may go on, with all its attempts and waits. Its signal is aborted when the caller gives
 * up or the deadline passes. Slept time counts even by a clock that stands still.
 */
export class Patience {
  readonly #ending = new AbortController();
  readonly #start: number;
  readonly #timer: NodeJS.Timeout;
  #slept = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly budget: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.#start = runtime.now();
    this.#timer = setTimeout(() => this.#end("deadline"), Math.min(Math.max(budget, 0), LONGEST_TIMER));
    this.#timer.unref();
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
    return this.budget - Math.max(this.runtime.now() - this.#start, this.#slept);
  }

  /** Waits; returns early, without a throw, when patience ends. */
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
    clearTimeout(this.#timer);
    this.caller?.removeEventListener("abort", this.#cancel);
  }

  readonly #cancel = (): void => this.#end("cancelled");

  #end(ending: Ending): void {
    if (!this.signal.aborted) this.#ending.abort(ending);
  }
}
