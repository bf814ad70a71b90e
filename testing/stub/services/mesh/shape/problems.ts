/** Collects all problems that the decoder finds in a body, in Consul's wording. */
export class Problems {
  readonly #mistyped: string[] = [];
  readonly #unknown: string[] = [];

  /** Records a value of the wrong type. */
  addWrongType(message: string): void {
    this.#mistyped.push(message);
  }

  /** Records a field that the kind does not have, by its path, and the reason. */
  unknown(path: string, why = ""): void {
    this.#unknown.push(`invalid config key ${JSON.stringify(path)}${why}`);
  }

  /**
   * Undefined if there are no problems. Type errors come first: the decoder does not search such a body for unknown fields.
   */
  get message(): string | undefined {
    if (this.#mistyped.length > 0) {
      return `${this.#mistyped.length} error(s) decoding:\n\n${this.#mistyped.map((each) => `* ${each}`).join("\n")}`;
    }
    return this.#unknown.length > 0 ? allOf(this.#unknown) : undefined;
  }
}

/** Joins several errors into one message, as Consul does. */
export function allOf(errors: readonly string[]): string {
  const count = errors.length === 1 ? "1 error occurred" : `${errors.length} errors occurred`;
  return `${count}:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}
