import type { StubResponse } from "../../service";

/** A request that the service refuses: plain text, the message alone. */
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

/** The request cannot be read. */
export const invalid = (message: string) => new Refusal(400, message);

/** The entry breaks a rule, within itself or with other entries. */
export const failed = (message: string) => new Refusal(500, message);

export const denied = (reason: string) => new Refusal(403, `Permission denied: ${reason}`);
