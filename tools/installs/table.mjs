/**
 * Prints the result of each cell: "ok", "FAILED", or "not SDK" if Pulumi's SDK alone also fails.
 * @param title the meaning of the rows; each cell has a `row`, a `column`, and after an error `failure` or `theirs`
 */
export function print(title, cells) {
  const columns = [...new Set(cells.map(({ column }) => column))];
  const rows = [...new Set(cells.map(({ row }) => row))];
  const width = Math.max(title.length, ...rows.map((row) => row.length)) + 2;
  const line = (first, others) => first.padEnd(width) + others.map((text) => text.padEnd(8)).join("");
  const resultOf = (row, column) => {
    const { failure, theirs } = cells.find((cell) => cell.row === row && cell.column === column) ?? {};
    return failure !== undefined ? "FAILED" : theirs !== undefined ? "not SDK" : "ok";
  };
  console.log(`\n${line(title, columns)}`);
  for (const row of rows)
    console.log(
      line(
        row,
        columns.map((column) => resultOf(row, column)),
      ),
    );
}
