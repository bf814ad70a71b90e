import { MASK } from "../../../packages/redact";
import { plainOf } from "../compare/document";
import type { Movement } from "../compare/movements";
import { displayValue, leavesOf, type MovementRow, rowsOfDifference, rowsOfMovement } from "../compare/rows";
import { AdvisedError, edited, look, refreshFirst, set, type WayOn } from "../http/waysOn";
import { formatJson } from "../value/json";
import { formatPath, KEY } from "../value/path";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";
import { excerpt } from "./failures";
import type { Secrecy } from "./redaction";

/** What a conflict is about. */
export interface ConflictDetails {
  /** `scheduler:Job "default/web"`. */
  readonly resource: string;
  readonly step: "create" | "update" | "delete";
  /** The token that our plan was made from, and the one that the service holds now, where it has tokens. */
  readonly ourToken?: string | undefined;
  readonly theirToken?: string | undefined;
  readonly movements: readonly Movement[];
  /** Whether our own write reached the service before theirs. */
  readonly afterOurs?: boolean;
  /** Whether our own write was sent before, and what became of it does not show. */
  readonly afterUnclear?: boolean;
  /** Whether the service holds all of a write of ours of which nobody knows what became: what moved may have moved with it. */
  readonly isPerhapsOurs?: boolean;
  /** Whether it is about what the program only begins to manage, which was read now for the first time, and recorded. */
  readonly isFirstLook?: boolean;
  readonly secrecy: Secrecy;
}

/** Somebody else moved what the program manages; nothing of ours was written over it. */
export class ConflictError extends AdvisedError {
  override readonly name = "ConflictError";
  constructor(readonly details: ConflictDetails) {
    super(whatOf(details), details.isFirstLook ? FIRST_LOOK : waysFrom(details.step));
  }
}

/** What somebody moved and the program wants to be gone over, told before it is, in a line that names the resource already. */
export function overwriting(details: ConflictDetails): string {
  const { step, afterOurs, isFirstLook, movements, secrecy } = details;
  const verb = step === "delete" ? "deleting" : "overwriting";
  const found = isFirstLook
    ? `what it holds ${ALREADY}`
    : `what was changed ${whoseIn(details)} since it was last read`;
  const what = afterOurs ? `somebody else changed it right after our ${step}` : `${verb} ${found}`;
  return [`${what} (onConflict: "overwrite"):`, ...movementTable(movements, secrecy)].join("\n");
}

function whatOf(details: ConflictDetails): string {
  const { resource, step, ourToken, theirToken, afterOurs, isFirstLook } = details;
  const what = isFirstLook
    ? `${resource} holds something ${ALREADY}`
    : `${resource} was changed ${whoseIn(details)} since it was last read`;
  const outcome = afterOurs
    ? `conflict: ${resource} was changed by somebody else right after our ${step}; theirs is what the service holds.`
    : `conflict: ${what}; ${unwritten(details)}.`;
  const tokens =
    ourToken === undefined && theirToken === undefined
      ? []
      : [`  planned from index ${ourToken ?? "none"}; the service is at index ${theirToken ?? "none"}`];
  return [outcome, ...tokens, ...movementTable(details.movements, details.secrecy)].join("\n");
}

function whoseIn({ isPerhapsOurs }: ConflictDetails): string {
  return isPerhapsOurs
    ? "by somebody else, or with our own update, of which it is not known what became,"
    : // A write of ours that was killed before its state was saved looks just like somebody else's.
      "by somebody else (or by a command that was killed)";
}

/** Of what was never read before nobody can say since when it is there. */
const ALREADY = "already in what the program only begins to manage, by somebody or by the service";

function unwritten({ step, afterUnclear }: ConflictDetails): string {
  return afterUnclear
    ? `our ${step} was sent once before that showed, and what became of it does not show`
    : "nothing was written";
}

/** What was found is in the state by now: the next preview shows it, and the next up may replace it. */
const FIRST_LOOK: readonly WayOn[] = [
  look("pulumi preview --diff (what was found, for the first time, is in the state now)"),
  edited("write their values into the program", "to take theirs"),
  { kind: "again", runs: "pulumi up", to: "to insist" },
];

function waysFrom(step: ConflictDetails["step"]): readonly WayOn[] {
  // What deletes one resource may be an up that no longer has it; nobody is sent to take the whole stack down.
  if (step === "delete") {
    return [
      LOOK,
      edited("pulumi refresh, then write it into the program with their values", "to keep it"),
      refreshFirst("pulumi refresh, then the same command again", "to insist"),
    ];
  }
  return [
    LOOK,
    edited("pulumi refresh, then write their values into the program", "to take theirs"),
    refreshFirst("pulumi refresh, then pulumi up", "to insist"),
    set("onConflict", "overwrite", { to: "to insist", more: " on the resource" }),
  ];
}

const LOOK = look("pulumi refresh --preview-only");

/** Field, base, ours and theirs, a line each, aligned: one for each leaf that moved. */
export function movementTable(movements: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = rowsOf(movements.flatMap(rowsOfMovement), secrecy);
  const texts = rows.map((row) => [
    row.path,
    cut(row.base, row.theirs),
    cut(row.ours, row.theirs),
    theirs(row),
  ]);
  return inColumns([["field", "base", "ours", "theirs"], ...texts]);
}

/** How many differences of an object that was found are told. */
const MOST_DIFFERENCES = 20;

/** How what is there differs from what the program writes, a line each, aligned. */
export function comparisonTable(differences: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = rowsOf(differences.flatMap(rowsOfDifference), secrecy);
  const texts = rows
    .slice(0, MOST_DIFFERENCES)
    .map((row) => [row.path, cut(row.ours, row.theirs), cut(row.theirs, row.ours)]);
  const more = rows.length > texts.length ? [`  and ${rows.length - texts.length} more`] : [];
  return [...inColumns([["field", "the program", "the service"], ...texts]), ...more];
}

/** One field that somebody changed, as a person is told of it: its secrets are masked. */
export interface DriftedField {
  readonly field: string;
  readonly was: string;
  readonly is: string;
}

/** What somebody changed, field by field, each value whole. */
export function driftedFields(movements: readonly Movement[], secrecy: Secrecy): DriftedField[] {
  const rows = rowsOf(movements.flatMap(rowsOfMovement), secrecy);
  return rows.map(({ path, base, theirs: is }) => ({ field: path, was: base, is }));
}

/** The same as a table, a line each, aligned, and long values around what differs in them. */
export function driftTable(movements: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = rowsOf(movements.flatMap(rowsOfMovement), secrecy);
  const texts = rows.map((row) => [row.path, cut(row.base, row.theirs), theirs(row)]);
  return inColumns([["field", "was", "is"], ...texts]);
}

/** A row in words that are not cut yet. */
interface Row {
  readonly path: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

function rowsOf(rows: readonly MovementRow[], secrecy: Secrecy): Row[] {
  // The members of a map that is secret as a unit have one row.
  const all = rowsOfEach(rows, secrecy).map((row) => [JSON.stringify(row), row] as const);
  return [...new Map(all).values()];
}

function rowsOfEach(rows: readonly MovementRow[], secrecy: Secrecy): Row[] {
  return rows.flatMap((each) => {
    const leaves = leavesOf(each);
    const whole = rowOf(each, secrecy);
    const isLong = [whole.base, whole.ours, whole.theirs].some((text) => text.length > LONGEST_VALUE);
    const isPart = leaves.length > 1 || leaves[0] !== each;
    // What is shown whole must hold no secret; what would be cut is told leaf by leaf.
    const isSplit = isPart && (isLong || leaves.some((leaf) => isSecret(leaf, secrecy)));
    return isSplit && !isSecret(each, secrecy) ? leaves.map((leaf) => rowOf(leaf, secrecy)) : [whole];
  });
}

function rowOf(row: MovementRow, secrecy: Secrecy): Row {
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

/** The program's marks count the elements of its own list: of others' elements, whatever is marked in a list is secret. */
function isSecret({ path, unmarked }: MovementRow, secrecy: Secrecy): boolean {
  return secrecy.isSecret(path) || unmarked.some((list) => secrecy.isSecret(list));
}

/** Where it moved, in the names in which a program writes it; an element is called by a secret of its own only as one. */
function pathText({ path, field }: Movement, { isSecretKey, shownPath }: Secrecy): string {
  const [name, ...inside] = shownPath(path).map((segment, index) => {
    const isKey = typeof segment === "string" && segment.startsWith(KEY);
    return isKey && isSecretKey(path.slice(0, index + 1)) ? `${KEY}[secret]` : segment;
  });
  return formatPath([name ?? "", ...(field.facts.spelling?.restorePath?.(inside) ?? inside)]);
}

function inColumns(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? "").length)),
  );
  return table.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}

const LONGEST_VALUE = 60;

function cut(text: string, other: string): string {
  return excerpt(text, other, LONGEST_VALUE);
}

function theirs(row: Row): string {
  return cut(row.theirs, row.base === row.theirs ? row.ours : row.base);
}

/** A value as it stands in a message: on one line, in the program's names; masked before it is cut, when a secret is still whole. */
function valueTextIn({ path: [, ...inside], field }: MovementRow, { isCopy, mask }: Secrecy) {
  return (value: Value | undefined): string => {
    if (value === undefined || value === null) return NONE;
    if (value === UNKNOWN) return "(unknown)";
    const plain = plainOf(value);
    if (!isKnown(plain)) return "(partly unknown)";
    if (typeof plain !== "object" && isCopy(plain)) return maskedText(plain);
    const shown = displayValue(field, plain, inside);
    return mask(formatJson(field.facts.spelling?.restorePart?.(shown, inside) ?? shown));
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
