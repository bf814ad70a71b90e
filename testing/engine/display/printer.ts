import { wordsFor } from "./operations";
import { decode, diffLines, type Hunk, quote, truncate } from "./text";
import {
  diffValues,
  type ElementDiff,
  isEmpty,
  isInternal,
  isPrimitive,
  isSecret,
  isShownList,
  isShownMap,
  isUnknown,
  type MapDiff,
  type Shown,
  type ShownMap,
  type ValueDiff,
} from "./values";

/** The format of properties. */
export interface Style {
  /** In steps of four spaces. */
  readonly indent: number;
  readonly op: string;
  /** True if each line starts with the operation's sign, inside its indentation. */
  readonly signed: boolean;
  /** True if long strings are cut. */
  readonly truncated: boolean;
}

/** The indentation of a line, with the operation's sign at its end. */
function indentation({ indent, op, signed }: Style): string {
  const spaces = "    ".repeat(indent);
  return signed ? spaces.slice(0, -2) + wordsFor(op).sign : spaces;
}

/** Formats property values and their differences like the CLI. Returns complete lines. */
export function printMap(values: ShownMap, style: Style): string {
  const keys = Object.keys(values).sort();
  const width = widest(keys);
  return keys
    .filter((key) => !isInternal(key))
    .map((key) => printProperty(key, values[key] ?? null, width, style))
    .join("");
}

export function printProperty(key: string, value: Shown, width: number, style: Style): string {
  return title(key, width)(style) + printValue(value, style);
}

/** Formats changed and unchanged members. */
export function printMapDiff(diff: MapDiff, style: Style): string {
  const width = widest([...diff.keys()]);
  return [...diff].map(([key, change]) => printMemberDiff(key, change, width, style)).join("");
}

export function printMemberDiff(key: string, change: ElementDiff, width: number, style: Style): string {
  if (change.kind === "update") return printDiff(title(key, width), change.diff, style);
  if (change.kind !== "same") return printWhole(change.kind, title(key, width), change.value, style);
  return isEmpty(change.value)
    ? ""
    : printProperty(key, change.value, width, { ...style, op: "same", signed: false });
}

type Title = (style: Style) => string;

const title =
  (key: string, width: number): Title =>
  (style) =>
    `${indentation(style)}${key.padEnd(width)}: `;

export const widest = (keys: readonly string[]): number => Math.max(0, ...keys.map(({ length }) => length));

const deeper = (style: Style, steps: number): Style => ({ ...style, indent: style.indent + steps });

const plainIndentation = (style: Style): string => indentation({ ...style, signed: false });

function printValue(value: Shown, style: Style): string {
  return `${bare(value, style)}\n`;
}

function bare(value: Shown, style: Style): string {
  if (isShownList(value)) {
    if (value.length === 0) return "[]";
    const lines = value.map(
      (element, index) => `${indentation(style)}    [${index}]: ${printValue(element, deeper(style, 1))}`,
    );
    return `[\n${lines.join("")}${plainIndentation(style)}]`;
  }
  if (isShownMap(value)) {
    if (Object.keys(value).length === 0) return "{}";
    return `{\n${printMap(value, deeper(style, 1))}${plainIndentation(style)}}`;
  }
  return primitive(value, style);
}

function primitive(value: Shown, style: Style): string {
  if (isSecret(value)) return "[secret]";
  if (isUnknown(value)) return "[unknown]";
  if (value === null) return "<null>";
  if (typeof value === "number") return formatNumber(value);
  if (typeof value !== "string") return String(value);
  const decoded = decode(value);
  if (decoded !== undefined) return `(${decoded.notation}) ${printValue(decoded.value, style)}`;
  return quote(style.truncated ? truncate(value) : value);
}

/** Formats integers in full, and other numbers in the shortest exact form. */
function formatNumber(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

function printWhole(kind: "add" | "delete", named: Title, value: Shown, style: Style): string {
  const whole = { ...style, op: kind === "add" ? "create" : "delete", signed: true };
  return named(whole) + printValue(value, whole);
}

function printDiff(named: Title, diff: ValueDiff, outer: Style): string {
  const style = { ...outer, op: "update", signed: true };
  if (diff.list) {
    const lines = diff.list.map((change, index) => {
      const inner = deeper(style, 2);
      const place: Title = (at) => `${indentation(deeper(at, -1))}[${index}]: `;
      if (change.kind === "update") return printDiff(place, change.diff, inner);
      if (change.kind !== "same") return printWhole(change.kind, place, change.value, inner);
      const same = { ...inner, op: "same", signed: false };
      return place(same) + printValue(change.value, same);
    });
    return `${named(style)}[\n${lines.join("")}${plainIndentation(style)}]\n`;
  }
  if (diff.map)
    return `${named(style)}{\n${printMapDiff(diff.map, deeper(style, 1))}${plainIndentation(style)}}\n`;
  const [showOld, showNew] = [!isEmpty(diff.old), !isEmpty(diff.new)];
  if (showOld && showNew && isPrimitive(diff.old) && isPrimitive(diff.new)) {
    return named(style) + printPrimitiveDiff(diff, style);
  }
  return (
    (showOld ? printWhole("delete", named, diff.old, style) : "") +
    (showNew ? printWhole("add", named, diff.new, style) : "")
  );
}

function printPrimitiveDiff({ old, new: now }: ValueDiff, style: Style): string {
  const texts = typeof old === "string" && typeof now === "string" && !isUnknown(old) && !isUnknown(now);
  if (texts) return printTextDiff(old, now, style);
  return `${primitive(old, style)} => ${primitive(now, style)}\n`;
}

function printTextDiff(old: string, now: string, style: Style): string {
  const [before, after] = [decode(old), decode(now)];
  if (before !== undefined && after !== undefined) {
    const notation =
      before.notation === after.notation ? before.notation : `${before.notation} => ${after.notation}`;
    const diff = diffValues(before.value, after.value);
    if (diff !== undefined) return `(${notation}) ${printDiff(() => "", diff, style)}`;
    return `${quote(quote(old))} => ${quote(quote(now))}\n`;
  }
  if (!old.includes("\n") && !now.includes("\n")) return `${quote(old)} => ${quote(now)}\n`;
  const hunks = diffLines(old, now);
  return `\n${hunks.map((hunk, index) => printHunk(hunk, index === 0, index === hunks.length - 1, deeper(style, 1))).join("")}`;
}

const CONTEXT = 2;

/** Shows unchanged lines only near changed lines. */
function printHunk({ kind, lines: all }: Hunk, isFirst: boolean, isLast: boolean, outer: Style): string {
  const ops = { same: "same", add: "create", delete: "delete" };
  const style = { ...outer, op: ops[kind], signed: kind !== "same" };
  const lines = all.filter((line) => line.trim() !== "");
  const printLines = (some: readonly string[]) =>
    some.map((line) => `${indentation(style)}${style.truncated ? truncate(line) : line}\n`).join("");
  const gap = `${indentation(style)}...\n`;
  if (kind === "same" && isFirst && lines.length > CONTEXT + 1)
    return gap + printLines(lines.slice(-CONTEXT));
  if (kind === "same" && isLast && lines.length > CONTEXT + 1)
    return printLines(lines.slice(0, CONTEXT)) + gap;
  if (kind === "same" && lines.length > 2 * CONTEXT + 1) {
    return printLines(lines.slice(0, CONTEXT)) + gap + printLines(lines.slice(-CONTEXT));
  }
  return printLines(lines);
}
