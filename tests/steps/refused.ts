/** The service's no to what somebody does at a console. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status}: ${text}`);
  }
}

/** @throws Refused where the service did not take what somebody sent */
export function taken(answer: { readonly status: number; readonly text: string }): void {
  if (answer.status >= 300) throw new Refused(answer.status, answer.text);
}
