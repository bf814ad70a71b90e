/**
 * Prints what came of each cell: "ok", "FAILED", or "not SDK" where Pulumi's SDK alone fails as well.
 * @param title what the rows are; each cell has its `row`, its `column`, and its `failure` or `theirs` where it did not work
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
