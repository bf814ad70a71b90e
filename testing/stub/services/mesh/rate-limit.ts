import { Refusal } from "./errors";
import type { Switches } from "./settings";

/** Counts requests a window and token, by the stub's clock. */
export class RateLimiter {
  readonly #windows = new Map<string, { readonly startedAt: number; readonly used: number }>();

  /** Throws the 429 where the limit is used up. */
  admit(caller: string, now: number, { rateLimit }: Pick<Switches, "rateLimit">): void {
    if (rateLimit === null) return;
    const { limit, windowMilliseconds, retryAfter } = rateLimit;
    const open = this.#windows.get(caller);
    const isOver = open === undefined || now >= open.startedAt + windowMilliseconds;
    const window = isOver ? { startedAt: now, used: 0 } : open;
    if (window.used >= limit) {
      const secondsLeft = Math.ceil((window.startedAt + windowMilliseconds - now) / 1000);
      throw new Refusal(
        429,
        "rate limit exceeded, try again later or against a different server",
        retryAfter ? { "retry-after": String(secondsLeft) } : {},
      );
    }
    this.#windows.set(caller, { ...window, used: window.used + 1 });
  }

  reset(): void {
    this.#windows.clear();
  }
}
