import type { ServiceError } from "./errors";
import type { HttpAnswer, HttpRequest } from "./request";

/**
 * A write was not sent, or not sent again, because the read that it is based on may be too old. The server applied nothing. The
 * caller reads again, and decides whether it still writes.
 */
export class NotSent extends Error {
  override readonly name = "NotSent";

  readonly #last: HttpAnswer | ServiceError | undefined;

  /** @param last the result of the last attempt, after which the request may be sent again; undefined if there was none */
  constructor(last?: HttpAnswer | ServiceError) {
    super("the object may have changed since it was read");
    this.#last = last;
  }

  /** Not a property, because a printed error must not show a response that is not masked. */
  get last(): HttpAnswer | ServiceError | undefined {
    return this.#last;
  }
}

/**
 * Call before a request that the server did not apply is sent again.
 * @throws NotSent if the request is a write based on a read
 */
export function assertRepeatable({ freshUntil }: HttpRequest, last: HttpAnswer | ServiceError): void {
  if (freshUntil !== undefined) throw new NotSent(last);
}
