/** The number of requests that one caller may send in a time window. */
export interface RateLimit {
  readonly limit: number;
  /** Default: 1000. */
  readonly windowMilliseconds?: number;
  /** Add a `Retry-After` header to the 429 response. Default: false. */
  readonly retryAfter?: boolean;
}

/** The result for one request: if it exceeds the limit, and the rest of its window. */
interface Counted {
  readonly isTooMany: boolean;
  readonly remaining: number;
  readonly secondsLeft: number;
}

/** Counts requests per window and caller, by the mock server's clock. */
export class RequestWindows {
  readonly #windows = new Map<string, { readonly startedAt: number; readonly used: number }>();

  count(caller: string, now: number, { limit, windowMilliseconds }: Required<RateLimit>): Counted {
    const open = this.#windows.get(caller);
    const isOver = open === undefined || now >= open.startedAt + windowMilliseconds;
    const { startedAt, used } = isOver ? { startedAt: now, used: 0 } : open;
    const secondsLeft = (startedAt + windowMilliseconds - now) / 1000;
    if (used >= limit) return { isTooMany: true, remaining: 0, secondsLeft };
    this.#windows.set(caller, { startedAt, used: used + 1 });
    return { isTooMany: false, remaining: limit - used - 1, secondsLeft };
  }

  reset(): void {
    this.#windows.clear();
  }
}
