import type { StubRequest } from "../../service";
import { Refusal } from "./errors";
import type { Switches } from "./settings";

/** Counts requests a window and caller, by the stub's clock. */
export class RateLimiter {
  #windows = new Map<string, { readonly startedAt: number; readonly used: number }>();

  /** The headers that tell the limit; throws the 429 where it is used up. */
  admit(request: StubRequest, limits: Switches["rateLimit"]): Readonly<Record<string, string>> {
    if (limits === null) return {};
    const { limit, windowMilliseconds, retryAfter } = limits;
    const caller = request.headers.authorization ?? "";
    const open = this.#windows.get(caller);
    const isOver = open === undefined || request.now >= open.startedAt + windowMilliseconds;
    const window = isOver ? { startedAt: request.now, used: 0 } : open;
    const secondsLeft = (window.startedAt + windowMilliseconds - request.now) / 1000;
    const headers = (remaining: number) => ({
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": secondsLeft.toFixed(3),
    });
    if (window.used >= limit) {
      throw new Refusal(
        429,
        [{ status: "429", title: "Too Many Requests", detail: "You have exceeded the rate limit." }],
        { ...headers(0), ...(retryAfter ? { "retry-after": String(Math.ceil(secondsLeft)) } : {}) },
      );
    }
    this.#windows.set(caller, { ...window, used: window.used + 1 });
    return headers(limit - window.used - 1);
  }

  reset(): void {
    this.#windows.clear();
  }
}
