import { readFileSync } from "node:fs";
import { join } from "node:path";
import { all } from "./all";

const page = readFileSync(join(__dirname, "../../docs/reliability.md"), "utf8");

/** The rows of a table: the first cell, then the numbers. */
function rowsAfter(heading: string): (readonly [name: string, ...counts: number[]])[] {
  const [, part = ""] = page.split(`### ${heading}\n`);
  return (part.split("### ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .slice(1)
    .map((line) => {
      const [name = "", ...counts] = line.slice(2, -2).split(" | ");
      return [name.trim().replaceAll("`", ""), ...counts.map(Number)] as const;
    });
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

test.each(["By fault", "By resource"])("the rows of the table %j sum up to its total", (heading) => {
  const rows = rowsAfter(heading);
  const total = Number(/^([\d,]+) runs in/m.exec(page)?.[1]?.replaceAll(",", ""));
  expect(total).toBeGreaterThan(10_000);
  expect(sum(rows.map(([, runs = 0]) => runs))).toBe(total);
  expect(rows.filter(([, runs = 0, ...counts]) => sum(counts) !== runs)).toEqual([]);
});

test("the page lists every resource of the fault tests", () => {
  const tokens = [...new Set(all.map(([token]) => token))];
  expect(rowsAfter("By resource").map(([name]) => name)).toEqual(tokens.sort());
});

test("the page explains every fault of its table", () => {
  const names = (heading: string) => rowsAfter(heading).map(([name]) => name);
  expect(names("Faults")).toEqual(names("By fault"));
});
