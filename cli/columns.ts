/** The width of every output and help text. Only words that must stay in one piece, such as ids and commands, may be longer. */
export const COLUMNS = 80;

/** The gap between two columns. */
const GAP = "  ";

/** The minimum width of a wrapped value. */
const MIN_WIDTH = 20;

/** Wraps a text at spaces; a longer word gets its own line. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Indents each line of a text, and wraps long lines at spaces with the same indentation. */
export function indentWords(text: string, indent: number): string[] {
  return text.split("\n").flatMap((line) => {
    const own = line.length - line.trimStart().length + indent;
    if (own + line.trim().length <= COLUMNS) return [`${" ".repeat(indent)}${line}`.trimEnd()];
    return wrapWords(line.trim(), COLUMNS - own).map((part) => " ".repeat(own) + part);
  });
}

/** Wraps a text after a head on the first line; further lines are indented. */
export function hangWords(head: string, text: string, indent: number): string[] {
  const words = text.split(/\s+/);
  const lines: string[] = [];
  let line = head;
  for (const [at, word] of words.entries()) {
    const joined = at === 0 ? line + word : `${line} ${word}`;
    if (joined.length > COLUMNS && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + word;
    } else line = joined;
  }
  return [...lines, line.trimEnd()];
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

/** A row of a table in one line, or undefined if it is longer than an output may be. */
export function rowInOneLine(cells: readonly string[], widths: readonly number[]): string | undefined {
  const line = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(GAP);
  return line.trimEnd().length > COLUMNS ? undefined : line.trimEnd();
}

/** A row of a table. Cells that do not fit continue on indented lines. */
export function rowLines(cells: readonly string[], widths: readonly number[], indent = 4): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [column, cell] of cells.entries()) {
    const joined = column === 0 ? cell : `${line}${GAP}${cell}`;
    if (joined.trimEnd().length > COLUMNS && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + cell;
    } else line = joined;
    line += " ".repeat(Math.max(0, (widths[column] ?? 0) - cell.length));
  }
  return [...lines, line.trimEnd()];
}
