import type { StubResponse } from "../../service";

/** A request that the server rejects; the body is the message as plain text. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get response(): StubResponse {
    return {
      status: this.status,
      headers: { "content-type": "text/plain; charset=utf-8", ...this.headers },
      body: this.message,
    };
  }
}

/** The server cannot read the request. */
export const invalid = (message: string) => new Refusal(400, message);

/** The entry breaks a rule of its own kind or a rule between entries. */
export const serverError = (message: string) => new Refusal(500, message);

export const permissionError = (reason: string) => new Refusal(403, `Permission denied: ${reason}`);
