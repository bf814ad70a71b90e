import type { StubResponse } from "../../service";

/** An answer that is not a success: its text is the whole body. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    /** The index that the answer holds for, where a query may wait for more than that. */
    readonly index?: number,
  ) {
    super(message);
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(400, message);
}

/** "Client is not authenticated for the request"; also without the permission that the endpoint needs. */
export function denied(): Refusal {
  return new Refusal(403, "Permission denied");
}

export function unknownToken(): Refusal {
  return new Refusal(403, "ACL token not found");
}

export function notFound(message: string, index?: number): Refusal {
  return new Refusal(404, message, index);
}

/** What the service could not do; a check-and-set conflict is one of these. */
export function failed(message: string): Refusal {
  return new Refusal(500, message);
}

export function refusalResponse(refusal: Refusal, headers: Readonly<Record<string, string>>): StubResponse {
  return { status: refusal.status, headers: { ...headers, ...PLAIN }, body: refusal.message };
}

const PLAIN = { "content-type": "text/plain; charset=utf-8" } as const;
