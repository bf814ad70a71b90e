import type { StubRequest } from "../../service";

/** The reads that wait for a change. */
export class Waiting {
  readonly #reads = new Set<() => void>();

  /** Ends at the next change, at `until` by the stub's clock, or when the caller has gone. */
  async changed({ clock, signal }: StubRequest, until: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    this.#reads.add(resolve);
    await Promise.race([promise, clock.until(until, AbortSignal.any([signal, stop.signal]))]);
    stop.abort();
    this.#reads.delete(resolve);
  }

  /** Something has changed. */
  wake(): void {
    for (const end of [...this.#reads]) end();
  }
}
