/** The service's rejection of another user's request. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

/** @throws Refused if the service rejected another user's request */
export function taken(answer: { readonly status: number; readonly text: string }): void {
  if (answer.status >= 300) throw new Refused(answer.status, answer.text);
}
