/** The service's rejection of another user's request. */
export class RejectedRequest extends Error {
  override readonly name = "Refused";

  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

/** @throws Refused if the service rejected another user's request */
export function expectAccepted(answer: { readonly status: number; readonly text: string }): void {
  if (answer.status >= 300) throw new RejectedRequest(answer.status, answer.text);
}
