import { MASK } from "../../../packages/redact";
import { plainOf } from "../diff/project";
import type { Difference } from "../diff/threeWay";
import { formatJson } from "../value/json";
import { formatPath, KEY } from "../value/path";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";
import { type DifferenceRow, displayValue, leavesOf, rowsOfConflict, rowsOfDifference } from "./rows";
import type { SecretMap } from "./secretMap";

/** The secrets that a table does not show. */
export type Secrecy = Pick<SecretMap, "isSecret" | "isSecretKey" | "isCopy" | "shownPath" | "mask">;

/** A column of a table: its heading, and the text of its cells. */
type Column = readonly [heading: string, cell: (row: Row) => string];

const FIELD: Column = ["field", ({ path }) => path];
const THEIRS = ({ base, ours, theirs }: Row) => cut(theirs, base === theirs ? ours : base);

/** The table of changed leaves, one aligned line each, with the columns field, base, ours and theirs. */
export function conflictTable(differences: readonly Difference[], secrecy: Secrecy): string[] {
  return formatTable(rowsOf(differences.flatMap(rowsOfConflict), secrecy), [
    FIELD,
    ["base", ({ base, theirs }) => cut(base, theirs)],
    ["ours", ({ ours, theirs }) => cut(ours, theirs)],
    ["theirs", THEIRS],
  ]);
}

/** The fields that someone else changed, one aligned line each. Long values are cut around their difference. */
export function driftTable(differences: readonly Difference[], secrecy: Secrecy): string[] {
  const rows = rowsOf(differences.flatMap(rowsOfConflict), secrecy);
  return formatTable(rows, [FIELD, ["was", ({ base, theirs }) => cut(base, theirs)], ["is", THEIRS]]);
}

/** The maximum number of differences shown for an object that was found. */
const MOST_DIFFERENCES = 20;

const OURS = ({ ours, theirs }: Row) => cut(ours, theirs);
const SERVICE = ({ ours, theirs }: Row) => cut(theirs, ours);

/** The differences between the server's object and the program's values, one aligned line each. */
export function comparisonTable(differences: readonly Difference[], secrecy: Secrecy): string[] {
  return shortTable(differences, secrecy, [FIELD, ["the program", OURS], ["the server", SERVICE]]);
}

/** The changes that an update makes, one aligned line each. */
export function updateTable(differences: readonly Difference[], secrecy: Secrecy): string[] {
  return shortTable(differences, secrecy, [FIELD, ["current", SERVICE], ["new", OURS]]);
}

function shortTable(
  differences: readonly Difference[],
  secrecy: Secrecy,
  columns: readonly Column[],
): string[] {
  const rows = rowsOf(differences.flatMap(rowsOfDifference), secrecy);
  const lines = formatTable(rows.slice(0, MOST_DIFFERENCES), columns);
  const more = rows.length - MOST_DIFFERENCES;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

/** One field that someone else changed, as shown to the user: its secrets are masked. */
export interface DriftedField {
  readonly field: string;
  readonly was: string;
  readonly is: string;
}

/** The fields that someone else changed, each with its complete value. */
export function driftedFields(differences: readonly Difference[], secrecy: Secrecy): DriftedField[] {
  const rows = rowsOf(differences.flatMap(rowsOfConflict), secrecy);
  return rows.map(({ path, base, theirs }) => ({ field: path, was: base, is: theirs }));
}

function formatTable(rows: readonly Row[], columns: readonly Column[]): string[] {
  const lines = [
    columns.map(([heading]) => heading),
    ...rows.map((row) => columns.map(([, cell]) => cell(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => (cells[index] ?? "").length)));
  return lines.map((cells) =>
    `  ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ")}`.trimEnd(),
  );
}

const LONGEST_VALUE = 60;

function cut(text: string, other: string): string {
  return excerpt(text, other, LONGEST_VALUE);
}

/** A row with values that are not cut yet. */
interface Row {
  readonly path: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

function rowsOf(rows: readonly DifferenceRow[], secrecy: Secrecy): Row[] {
  const all = rows.flatMap((each) => {
    const leaves = leavesOf(each);
    const whole = rowOf(each, secrecy);
    const isLong = [whole.base, whole.ours, whole.theirs].some((text) => text.length > LONGEST_VALUE);
    const isPart = leaves.length > 1 || leaves[0] !== each;
    // A value shown as one unit must not contain a secret. A value that would be cut is shown leaf by leaf.
    const isSplit = isPart && (isLong || leaves.some((leaf) => isSecret(leaf, secrecy)));
    return isSplit && !isSecret(each, secrecy) ? leaves.map((leaf) => rowOf(leaf, secrecy)) : [whole];
  });
  // The members of a map that is secret as a unit share one row.
  return [...new Map(all.map((row) => [JSON.stringify(row), row])).values()];
}

function rowOf(row: DifferenceRow, secrecy: Secrecy): Row {
  const text = row.isRelocated
    ? positionText
    : isSecret(row, secrecy)
      ? secrecy.shownPath(row.path).length < row.path.length
        ? () => MASK
        : maskedText
      : valueTextIn(row, secrecy);
  const { base, ours, theirs } = row;
  return { path: pathText(row, secrecy), base: text(base), ours: text(ours), theirs: text(theirs) };
}

/** The program's marks use the indexes of its own list. For elements of others, everything marked in the list is secret. */
function isSecret({ path, unmarked }: DifferenceRow, secrecy: Secrecy): boolean {
  return secrecy.isSecret(path) || unmarked.some((list) => secrecy.isSecret(list));
}

/** The path of a change, with the program's names. An element's key is replaced if the key is secret. */
function pathText({ path, field }: Difference, secrecy: Secrecy): string {
  const [name, ...inside] = secrecy.shownPath(path).map((segment, index) => {
    const isKey = typeof segment === "string" && segment.startsWith(KEY);
    return isKey && secrecy.isSecretKey(path.slice(0, index + 1)) ? `${KEY}[secret]` : segment;
  });
  return formatPath([name ?? "", ...(field.facts.spelling?.restorePath?.(inside) ?? inside)]);
}

/** A value on one line, with the program's names. It is masked first: the redactor cannot find a secret that was cut. */
function valueTextIn({ path: [, ...inside], field }: DifferenceRow, secrecy: Secrecy) {
  return (value: Value | undefined): string => {
    if (value === undefined || value === null) return NONE;
    if (value === UNKNOWN) return "(unknown)";
    const plain = plainOf(value);
    if (!isKnown(plain)) return "(partly unknown)";
    if (typeof plain !== "object" && secrecy.isCopy(plain)) return maskedText(plain);
    const shown = displayValue(field, plain, inside);
    return secrecy.mask(formatJson(field.facts.spelling?.restorePart?.(shown, inside) ?? shown));
  };
}

function positionText(value: Value | undefined): string {
  return value === undefined ? NONE : `(at ${String(value)})`;
}

function maskedText(value: Value | undefined): string {
  if (value === undefined || value === null) return NONE;
  return value === "" ? '""' : MASK;
}

const NONE = "(none)";

/** The number of shared characters that an excerpt shows before the first difference. */
const BEFORE = 20;

/** A text, cut around its first difference from another text if it is too long to show. */
export function excerpt(text: string, other: string | undefined, longest: number): string {
  if (text.length <= longest) return text;
  const differs = other === undefined || other === text ? 0 : sharedStart(text, other);
  const last = text.length - (longest - 1);
  const start = Math.min(Math.max(differs - BEFORE, 0), last);
  if (start === 0) return `${whole(text, 0, longest - 1)}…`;
  if (start === last) return `…${whole(text, start, text.length)}`;
  return `…${whole(text, start, start + longest - 2)}…`;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** A part of a text that starts and ends with complete characters. */
function whole(text: string, from: number, to: number): string {
  const isSecondHalf = (at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return text.slice(isSecondHalf(from) ? from + 1 : from, isSecondHalf(to) ? to - 1 : to);
}
