import type { Console } from "./invocation";

/** Prints a table: each column is as wide as its widest cell, with two spaces between columns and no trailing spaces. */
export function printTable(
  console: Console,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  indent = "",
): void {
  const lines = [headers, ...rows];
  const widths = headers.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.out(`${indent}${cells.join("  ").trimEnd()}\n`);
  }
}
