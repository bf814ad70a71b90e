import type { StubResponse } from "../../service";

/** A request that the service refuses: plain text, the message alone. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  get response(): StubResponse {
    return { status: this.status, headers: { "content-type": "text/plain" }, body: this.message };
  }
}

export const invalid = (message: string) => new Refusal(400, message);
export const failed = (message: string) => new Refusal(500, message);

/** "Permission denied" with the right that would have been enough. */
export function denied(right?: string): Refusal {
  const lacking = right === undefined ? "" : `: token lacks permission '${right}'`;
  return new Refusal(403, `Permission denied${lacking}`);
}

export function notThere(kind: string, name: string): Refusal {
  return new Refusal(404, `Config entry not found for "${kind}" / "${name}"`);
}
