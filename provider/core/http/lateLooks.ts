import type { HttpRequest } from "./request";

/** A request that follows a read is late after this many milliseconds. */
const LATE_MS = 500;

/** The maximum number of consecutive re-reads, so that a server slower than {@link LATE_MS} is not polled forever. */
const MOST_LATE_LOOKS = 3;

/** Counts the re-reads of one request. A re-read is due if the request's turn came so late that the object may have changed. */
export class LateLooks {
  #inARow = 0;

  /** True if the caller must read again before the request is sent. Called each time the request's turn comes. */
  isDue({ lookedAt }: Pick<HttpRequest, "lookedAt">, now: number): boolean {
    const isLate = lookedAt !== undefined && now - lookedAt() > LATE_MS;
    const isDue = isLate && this.#inARow < MOST_LATE_LOOKS;
    this.#inARow = isDue ? this.#inARow + 1 : 0;
    return isDue;
  }
}
