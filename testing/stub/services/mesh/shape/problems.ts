/** What a decoder finds wrong with a body: all of it, in the words of the service. */
export class Problems {
  readonly #mistyped: string[] = [];
  readonly #unknown: string[] = [];

  /** A value that is not of the field's type. */
  mistyped(message: string): void {
    this.#mistyped.push(message);
  }

  /** A field that the kind does not have, by its path, and why. */
  unknown(path: string, why = ""): void {
    this.#unknown.push(`invalid config key ${JSON.stringify(path)}${why}`);
  }

  /** Undefined where nothing is wrong. Types come first: a body of wrong types is not searched for fields. */
  get message(): string | undefined {
    if (this.#mistyped.length > 0) {
      return `${this.#mistyped.length} error(s) decoding:\n\n${this.#mistyped.map((each) => `* ${each}`).join("\n")}`;
    }
    return this.#unknown.length > 0 ? allOf(this.#unknown) : undefined;
  }
}

/** Several errors as one text, as the service joins them. */
export function allOf(errors: readonly string[]): string {
  const count = errors.length === 1 ? "1 error occurred" : `${errors.length} errors occurred`;
  return `${count}:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}
