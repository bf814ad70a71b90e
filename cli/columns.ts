/** The width of every output and help text. Only words that must stay in one piece, such as IDs and commands, may be longer. */
export const COLUMNS = 80;

/** The gap between two columns. */
const GAP = "  ";

/** The minimum width of a wrapped value. */
const MIN_WIDTH = 20;

/** Fills lines with pieces, which stay whole. Lines after the first are indented; the first one begins with a head. */
function fill(pieces: readonly string[], gap: string, indent: number, head = ""): string[] {
  const lines: string[] = [];
  let line = head;
  for (const [at, piece] of pieces.entries()) {
    const joined = at === 0 ? line + piece : `${line}${gap}${piece}`;
    if (joined.trimEnd().length > COLUMNS && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + piece;
    } else line = joined;
  }
  return [...lines, line.trimEnd()];
}

/** Wraps a text after a head on the first line; further lines are indented. */
export function hangWords(head: string, text: string, indent: number): string[] {
  return fill(text.split(/\s+/), " ", indent, head);
}

/** Indents each line of a text, and wraps long lines at spaces with the same indentation. */
export function indentWords(text: string, indent: number): string[] {
  return text.split("\n").flatMap((line) => {
    const own = line.length - line.trimStart().length + indent;
    if (own + line.trim().length <= COLUMNS) return [`${" ".repeat(indent)}${line}`.trimEnd()];
    return hangWords(" ".repeat(own), line.trim(), own);
  });
}

/** Wraps a value after a head, without regard to spaces; further lines are indented to the value. */
export function hangValue(head: string, value: string): string[] {
  const width = Math.max(MIN_WIDTH, COLUMNS - head.length);
  const parts = value.split("\n").flatMap((line) => {
    const signs = [...line];
    return Array.from({ length: Math.max(1, Math.ceil(signs.length / width)) }, (_, at) =>
      signs.slice(at * width, (at + 1) * width).join(""),
    );
  });
  return parts.map((part, at) => `${at === 0 ? head : " ".repeat(head.length)}${part}`.trimEnd());
}

/** The widths of columns: the longest cell of each, up to a maximum. A longer cell shifts the cells after it. */
export function columnWidths(rows: readonly (readonly string[])[], most: number): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.min(most, Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))),
  );
}

const padded = (cells: readonly string[], widths: readonly number[]) =>
  cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));

/** A row of a table in one line, which may be longer than an output. */
export function rowLine(cells: readonly string[], widths: readonly number[]): string {
  return padded(cells, widths).join(GAP).trimEnd();
}

/** A row of a table. Cells that do not fit continue on indented lines. */
export function rowLines(cells: readonly string[], widths: readonly number[], indent = 4): string[] {
  return fill(padded(cells, widths), GAP, indent);
}
