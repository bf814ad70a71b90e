import type { HttpRequest } from "./request";

/** Milliseconds after a look from which on what follows it is late. */
const LATE_MS = 500;

/** How often it is looked again in a row: a service that is slower than that for each request is not asked for ever. */
const MOST_LATE_LOOKS = 3;

/** The looks of one request that has to look again because its turn came so late that what it changes may be another by now. */
export class LateLooks {
  #inARow = 0;

  /** Whether it has to look again before it is sent; asked each time that its turn has come. */
  isDue({ lookedAt }: Pick<HttpRequest, "lookedAt">, now: number): boolean {
    const isLate = lookedAt !== undefined && now - lookedAt() > LATE_MS;
    const isDue = isLate && this.#inARow < MOST_LATE_LOOKS;
    this.#inARow = isDue ? this.#inARow + 1 : 0;
    return isDue;
  }
}
