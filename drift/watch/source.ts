import type { Shown, WaitingList } from "./waitingList";

/** Who is told what becomes of a list. */
export interface Listener {
  /** It shows something else; `before` is nothing where it was never shown, so that anything may have moved. */
  moved(before: Shown | undefined, now: Shown): void;
  heard(): void;
  failed(error: unknown): void;
}

/** The longest that a list is left alone between two answers, in milliseconds: one that moves all the time is not read all the time. */
const PAUSE_MS = 100;

/** A list that is waited for, and the resources that it shows. */
export class Source<Member> {
  readonly members: Member[] = [];
  #shown: Shown | undefined;
  #isFailing = false;
  #isRefused = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(
    private readonly list: Pick<WaitingList, "changes">,
    private readonly signal: AbortSignal,
    /** Milliseconds after which a list that was refused is asked for again. */
    private readonly againMs: number,
    private readonly listener: Listener,
  ) {}

  /** Begins to wait; answers when the list was shown, or could not be. */
  begin(): Promise<void> {
    void this.#follow();
    return this.#ready.promise;
  }

  /** Whether what moves under this key is told. */
  shows(item: string): boolean {
    return !this.#isFailing && this.#shown?.has(item) === true;
  }

  async #follow(): Promise<void> {
    const isEnded = () => this.signal.aborted;
    while (!isEnded()) {
      try {
        // What is shown was heard.
        for await (const _ of this.list.changes(this.signal, (failure, shown) => this.#hear(failure, shown)))
          await rest(PAUSE_MS, this.signal);
      } catch {
        // Why was heard.
        if (!isEnded()) await rest(this.againMs, this.signal);
      }
    }
    this.#ready.resolve();
  }

  /** Whether nobody waits for the first answer any more: what moved before it was not told. */
  #isLate = false;

  #settle(): void {
    this.#isLate = true;
    this.#ready.resolve();
  }

  #hear(failure: unknown, shown: Shown | undefined): void {
    if (this.signal.aborted) return;
    if (shown !== undefined) {
      const before = this.#shown;
      this.#shown = shown;
      this.#isFailing = false;
      this.#isRefused = false;
      // What moved while it failed is told before it is said that it does not fail any more.
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

/** Waits, but no longer than the watch goes on. */
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
