import type { StubRequest } from "../../service";

/** The reads that wait for a change. */
export class Waiting {
  readonly #reads = new Set<() => void>();

  /** Resolves at the next change, at `until` by the mock server's clock, or when the caller disconnects. */
  async nextChange({ clock, signal }: StubRequest, until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    this.#reads.add(resolve);
    await Promise.race([promise, clock.until(until, AbortSignal.any([signal, stop.signal]))]);
    stop.abort();
    this.#reads.delete(resolve);
  }

  /** Ends every waiting read, because something has changed. */
  wake(): void {
    for (const end of [...this.#reads]) end();
  }
}
