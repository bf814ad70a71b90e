import type { StubResponse } from "../../service";

/** An error response: its body is the plain message. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** The index of the response, so that a blocking query can wait for a later one. */
    readonly index?: number,
  ) {
    super(message);
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(400, message);
}

/** "Client is not authenticated for the request"; also for a caller without the required permission. */
export function permissionError(): Refusal {
  return new Refusal(403, "Permission denied");
}

export function unknownToken(): Refusal {
  return new Refusal(403, "ACL token not found");
}

export function notFound(message: string, index?: number): Refusal {
  return new Refusal(404, message, index);
}

/** A server error; check-and-set conflicts are among them. */
export function serverError(message: string): Refusal {
  return new Refusal(500, message);
}

export function refusalResponse(refusal: Refusal, headers: Readonly<Record<string, string>>): StubResponse {
  return { status: refusal.status, headers: { ...headers, ...PLAIN }, body: refusal.message };
}

const PLAIN = { "content-type": "text/plain; charset=utf-8" } as const;
