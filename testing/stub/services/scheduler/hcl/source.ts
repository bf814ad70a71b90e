/** A position in the text, from 0. */
export type Offset = number;

/** An invalid job specification, with a message in the wording of Nomad's parser. */
export class HclError extends Error {
  override readonly name = "HclError";

  constructor(
    readonly summary: string,
    readonly detail: string,
    readonly at: Offset,
  ) {
    super(`${summary}; ${detail}`);
  }
}

/** `file:line,column-column: Summary; detail`, the format of the parser's diagnostics. */
export function diagnostic(error: HclError, source: string, file: string): string {
  const before = source.slice(0, error.at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `${file}:${before.length},${column}-${column + 1}: ${error.message}`;
}

/** A text with a read position, and methods that advance it. */
export class Source {
  at: Offset = 0;

  constructor(readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** Matches the pattern at the current position and returns the matched text; the pattern must be sticky. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  skip(literal: string): boolean {
    const isThere = this.startsWith(literal);
    if (isThere) this.at += literal.length;
    return isThere;
  }

  /** Skips spaces and comments within a line. */
  skipSpace(): void {
    this.take(/(?:[ \t\r]|\/\*[\s\S]*?\*\/)*/y);
    if (this.startsWith("#") || this.startsWith("//")) this.take(/[^\n]*/y);
  }

  /** Skips spaces, comments and line ends. */
  skipLines(): void {
    do this.skipSpace();
    while (this.skip("\n"));
  }

  refuse(summary: string, detail: string, at = this.at): HclError {
    return new HclError(summary, detail, at);
  }
}
