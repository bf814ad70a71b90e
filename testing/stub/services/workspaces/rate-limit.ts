import { RequestWindows } from "../../request-windows";
import type { StubRequest } from "../../service";
import { Refusal } from "./errors";
import type { Switches } from "./settings";

/** Limits the requests of each caller, and reports the remaining ones. */
export class RateLimiter {
  readonly #windows = new RequestWindows();

  /** Returns the rate-limit headers; throws a 429 if the caller has used up the limit. */
  admit(request: StubRequest, limits: Switches["rateLimit"]): Readonly<Record<string, string>> {
    if (limits === null) return {};
    const caller = request.headers.authorization ?? "";
    const { isTooMany, remaining, secondsLeft } = this.#windows.count(caller, request.now, limits);
    const headers = {
      "x-ratelimit-limit": String(limits.limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": secondsLeft.toFixed(3),
    };
    if (!isTooMany) return headers;
    throw new Refusal(
      429,
      [{ status: "429", title: "Too Many Requests", detail: "You have exceeded the rate limit." }],
      { ...headers, ...(limits.retryAfter && { "retry-after": String(Math.ceil(secondsLeft)) }) },
    );
  }

  reset(): void {
    this.#windows.reset();
  }
}
