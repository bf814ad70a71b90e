import { RequestWindows } from "../../request-windows";
import { Refusal } from "./errors";
import type { Switches } from "./settings";

/** Limits the requests of each token. */
export class RateLimiter {
  readonly #windows = new RequestWindows();

  /** Throws a 429 if the token has used up its limit. */
  admit(caller: string, now: number, { rateLimit }: Pick<Switches, "rateLimit">): void {
    if (rateLimit === null) return;
    const { isTooMany, secondsLeft } = this.#windows.count(caller, now, rateLimit);
    if (!isTooMany) return;
    throw new Refusal(
      429,
      "rate limit exceeded, try again later or against a different server",
      rateLimit.retryAfter ? { "retry-after": String(Math.ceil(secondsLeft)) } : {},
    );
  }

  reset(): void {
    this.#windows.reset();
  }
}
