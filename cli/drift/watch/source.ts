import type { ListSnapshot, WaitingList } from "./waitingList";

/** Receives the changes of a list. */
export interface Listener {
  /** The list changed. `before` is undefined if this is its first response, so that any object may have changed. */
  moved(before: ListSnapshot | undefined, now: ListSnapshot): void;
  heard(): void;
  failed(error: unknown): void;
}

/** The pause after each response in milliseconds, so that a list that changes all the time is not read all the time. */
const PAUSE_MS = 100;

/** A list that is followed with blocking queries, and the resources in it. */
export class FollowedList<Member> {
  readonly members: Member[] = [];
  #shown: ListSnapshot | undefined;
  #isFailing = false;
  #isRefused = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(
    private readonly list: Pick<WaitingList, "changes">,
    private readonly signal: AbortSignal,
    /** Milliseconds before a refused list is requested again. */
    private readonly againMs: number,
    private readonly listener: Listener,
  ) {}

  /** Starts following the list; resolves at its first response or failure. */
  begin(): Promise<void> {
    void this.#follow();
    return this.#ready.promise;
  }

  /** True if changes under this key are reported. */
  shows(item: string): boolean {
    return !this.#isFailing && this.#shown?.has(item) === true;
  }

  async #follow(): Promise<void> {
    const isEnded = () => this.signal.aborted;
    while (!isEnded()) {
      try {
        // `#hear` handled the list.
        for await (const _ of this.list.changes(this.signal, (failure, shown) => this.#hear(failure, shown)))
          await rest(PAUSE_MS, this.signal);
      } catch {
        // `#hear` handled the error.
        if (!isEnded()) await rest(this.againMs, this.signal);
      }
    }
    this.#ready.resolve();
  }

  /** True if `begin` has resolved: changes before the first response were not reported. */
  #isLate = false;

  #settle(): void {
    this.#isLate = true;
    this.#ready.resolve();
  }

  #hear(failure: unknown, shown: ListSnapshot | undefined): void {
    if (this.signal.aborted) return;
    if (shown !== undefined) {
      const before = this.#shown;
      this.#shown = shown;
      this.#isFailing = false;
      this.#isRefused = false;
      // Report the changes of the outage before its end.
      if (before !== undefined || this.#isLate) this.listener.moved(before, shown);
      this.listener.heard();
      this.#settle();
      return;
    }
    this.#isFailing = true;
    if (!this.#isRefused) this.listener.failed(failure);
    this.#isRefused = true;
    this.#settle();
  }
}

/** Waits, at most until the watch ends. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
