/** Where something begins in the text, from 0. */
export type Offset = number;

/** A text that is no job specification, worded as the service's parser words it. */
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

/** `file:line,column-column: Summary; detail`, as the parser's diagnostics go. */
export function diagnostic(error: HclError, source: string, file: string): string {
  const before = source.slice(0, error.at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `${file}:${before.length},${column}-${column + 1}: ${error.message}`;
}

/** A text as it is read: the characters ahead, and the ways over them. */
export class Source {
  at: Offset = 0;

  constructor(readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.at);
  }

  /** The text of the pattern, which must begin here; the pattern must be sticky. */
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

  /** Over spaces and comments within a line. */
  skipSpace(): void {
    this.take(/(?:[ \t\r]|\/\*[\s\S]*?\*\/)*/y);
    if (this.startsWith("#") || this.startsWith("//")) this.take(/[^\n]*/y);
  }

  /** Over spaces, comments and line ends. */
  skipLines(): void {
    do this.skipSpace();
    while (this.skip("\n"));
  }

  refuse(summary: string, detail: string, at = this.at): HclError {
    return new HclError(summary, detail, at);
  }
}
