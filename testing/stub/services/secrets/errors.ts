import type { StubResponse } from "../../service";

/** An error response: `{"errors":["…"]}`. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly messages: readonly string[],
    /** True if the rejected request changed state nevertheless. */
    readonly isKept = false,
  ) {
    super(messages[0] ?? String(status));
  }
}

/** 404 without a message: an absent object or an empty list. */
export function absent(): Refusal {
  return new Refusal(404, []);
}

/** 400: an error that the server attributes to the caller. */
export function invalid(message: string): Refusal {
  return new Refusal(400, [message]);
}

/** 500, which is often the caller's error too. */
export function serverError(message: string): Refusal {
  return new Refusal(500, [`1 error occurred:\n\t* ${message}\n\n`]);
}

/** 403 for an unknown token. */
export function unknownToken(): Refusal {
  return new Refusal(403, ["permission denied"]);
}

/** 403 for a known token without permission. */
export function permissionError(): Refusal {
  return new Refusal(403, ["1 error occurred:\n\t* permission denied\n\n"]);
}

export function unsupportedOperation(): Refusal {
  return new Refusal(405, ["1 error occurred:\n\t* unsupported operation\n\n"]);
}

export function unsupportedPath(): Refusal {
  return new Refusal(404, ["1 error occurred:\n\t* unsupported path\n\n"]);
}

/** 404: nothing is mounted at the path. */
export function noHandler(path: string): Refusal {
  return new Refusal(404, [`no handler for route "${path}". route entry not found.`]);
}

export function refusalResponse({ status, messages }: Refusal): StubResponse {
  return { status, headers: JSON_TYPE, body: { errors: messages } };
}

export const JSON_TYPE = { "content-type": "application/json" } as const;
