import { MASK } from "../../../packages/redact";
import { plainOf } from "../compare/document";
import type { Movement } from "../compare/movements";
import { displayValue, leavesOf, type MovementRow, rowsOfDifference, rowsOfMovement } from "../compare/rows";
import { AdvisedError, edited, look, refreshFirst, set, type WayOn } from "../http/waysOn";
import { formatJson } from "../value/json";
import { formatPath, KEY } from "../value/path";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";
import { excerpt } from "./failures";
import type { SecretMap } from "./secretMap";

/** The secrets that a table does not show. */
export type Secrecy = Pick<SecretMap, "isSecret" | "isSecretKey" | "isCopy" | "shownPath" | "mask">;

export interface ConflictDetails {
  /** `scheduler:Job "default/web"`. */
  readonly resource: string;
  readonly step: "create" | "update" | "delete";
  /** The token that the plan is based on, and the server's current token, if the service has tokens. */
  readonly ourToken?: string | undefined;
  readonly theirToken?: string | undefined;
  readonly movements: readonly Movement[];
  /** True if our own write reached the server before the other user's change. */
  readonly afterOurs?: boolean;
  /** True if our own write was sent before, with an unknown outcome. */
  readonly afterUnclear?: boolean;
  /** True if the server has all values of a pending write with an unknown outcome: the changes may come from that write. */
  readonly isPerhapsOurs?: boolean;
  /**
   * True if the conflict is about properties that the program only starts to manage. They were read and recorded for the
   * first time.
   */
  readonly isFirstLook?: boolean;
  readonly secrecy: Secrecy;
}

/** Someone else changed a value that the program manages. Nothing was overwritten. */
export class ConflictError extends AdvisedError {
  override readonly name = "ConflictError";
  constructor(readonly details: ConflictDetails) {
    super(whatOf(details), details.isFirstLook ? FIRST_LOOK : waysFrom(details.step));
  }
}

/** The warning before the program overwrites other users' changes, worded for a line that already names the resource. */
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
    : // A write of ours that was killed before its state was saved looks exactly like another user's write.
      "by somebody else (or by a command that was killed)";
}

/** The age of a value that was never read before is unknown. */
const ALREADY = "already in what the program only begins to manage, by somebody or by the service";

function unwritten({ step, afterUnclear }: ConflictDetails): string {
  return afterUnclear
    ? `our ${step} was sent once before that showed, and what became of it does not show`
    : "nothing was written";
}

/** The state now contains the values that were found. The next preview shows them. */
const FIRST_LOOK: readonly WayOn[] = [
  look("pulumi preview --diff (what was found, for the first time, is in the state now)"),
  edited("write their values into the program", "to take theirs"),
  { kind: "again", runs: "pulumi up", to: "to insist" },
];

function waysFrom(step: ConflictDetails["step"]): readonly WayOn[] {
  // A delete may come from a `pulumi up` without the resource, so the remedy must not be `pulumi destroy` of the stack.
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

/** The table of changed leaves, one aligned line each, with the columns field, base, ours and theirs. */
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

/** The maximum number of differences shown for an object that was found. */
const MOST_DIFFERENCES = 20;

/** The differences between the server's object and the program's values, one aligned line each. */
export function comparisonTable(differences: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = rowsOf(differences.flatMap(rowsOfDifference), secrecy);
  const texts = rows
    .slice(0, MOST_DIFFERENCES)
    .map((row) => [row.path, cut(row.ours, row.theirs), cut(row.theirs, row.ours)]);
  const more = rows.length > texts.length ? [`  and ${rows.length - texts.length} more`] : [];
  return [...inColumns([["field", "the program", "the service"], ...texts]), ...more];
}

/** One field that someone else changed, as shown to the user: its secrets are masked. */
export interface DriftedField {
  readonly field: string;
  readonly was: string;
  readonly is: string;
}

/** The fields that someone else changed, each with its complete value. */
export function driftedFields(movements: readonly Movement[], secrecy: Secrecy): DriftedField[] {
  const rows = rowsOf(movements.flatMap(rowsOfMovement), secrecy);
  return rows.map(({ path, base, theirs: is }) => ({ field: path, was: base, is }));
}

/** The same as an aligned table with one line per field. Long values are cut around their difference. */
export function driftTable(movements: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = rowsOf(movements.flatMap(rowsOfMovement), secrecy);
  const texts = rows.map((row) => [row.path, cut(row.base, row.theirs), theirs(row)]);
  return inColumns([["field", "was", "is"], ...texts]);
}

/** A row with values that are not cut yet. */
interface Row {
  readonly path: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

function rowsOf(rows: readonly MovementRow[], secrecy: Secrecy): Row[] {
  // The members of a map that is secret as a unit share one row.
  const all = rowsOfEach(rows, secrecy).map((row) => [JSON.stringify(row), row] as const);
  return [...new Map(all).values()];
}

function rowsOfEach(rows: readonly MovementRow[], secrecy: Secrecy): Row[] {
  return rows.flatMap((each) => {
    const leaves = leavesOf(each);
    const whole = rowOf(each, secrecy);
    const isLong = [whole.base, whole.ours, whole.theirs].some((text) => text.length > LONGEST_VALUE);
    const isPart = leaves.length > 1 || leaves[0] !== each;
    // A value shown as one unit must not contain a secret. A value that would be cut is shown leaf by leaf.
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

/** The program's marks use the indexes of its own list. For elements of others, everything marked in the list is secret. */
function isSecret({ path, unmarked }: MovementRow, secrecy: Secrecy): boolean {
  return secrecy.isSecret(path) || unmarked.some((list) => secrecy.isSecret(list));
}

/** The path of a change, with the program's names. An element's key is replaced if the key is secret. */
function pathText({ path, field }: Movement, secrecy: Secrecy): string {
  const [name, ...inside] = secrecy.shownPath(path).map((segment, index) => {
    const isKey = typeof segment === "string" && segment.startsWith(KEY);
    return isKey && secrecy.isSecretKey(path.slice(0, index + 1)) ? `${KEY}[secret]` : segment;
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

/** A value on one line, with the program's names. It is masked first: the redactor cannot find a secret that was cut. */
function valueTextIn({ path: [, ...inside], field }: MovementRow, secrecy: Secrecy) {
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
