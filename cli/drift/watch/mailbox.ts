/** An ordered queue with one consumer. After `close`, it ends when the remaining items are consumed. */
export class Mailbox<T> {
  readonly #letters: T[] = [];
  #isClosed = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  put(letter: T): void {
    if (!this.#isClosed) this.#letters.push(letter);
    this.#wake();
  }

  /** Makes the consumer's next read throw this error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *letters(): AsyncGenerator<T, void, void> {
    for (;;) {
      yield* this.#letters.splice(0);
      if (this.#letters.length > 0) continue;
      if (this.#failure) throw this.#failure.error;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
