import { DEEPEST, scanJson } from "./scan";

/** A JSON value. An integer beyond ±2^53 is a bigint, because a double would change it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/**
 * Reads JSON without losing an integer: one beyond the safe range becomes a bigint, every other number is
 * the nearest double. Of two members with one name the later counts. Half of a surrogate pair is no character: it is read
 * as U+FFFD, as the services do.
 * @throws SyntaxError that quotes nothing of the text, which may hold secrets; also where it is nested so deep that
 * no walk over it would come to an end.
 */
export function parseJson(text: string): Json {
  const { isTooDeep, largeNumbers } = scanJson(text, DEEPEST + AROUND);
  if (isTooDeep) throw new SyntaxError("the text is nested too deep");
  try {
    const value = parsed(text, largeNumbers);
    return MAY_HOLD_HALVES.test(text) || !text.isWellFormed() ? wellFormed(value) : value;
  } catch {
    throw new SyntaxError(text.trim() === "" ? "empty text is not JSON" : "the text is not JSON");
  }
}

function parsed(text: string, largeNumbers: readonly string[]): Json {
  const exact = exactByDouble(largeNumbers);
  if (exact === undefined) return JSON.parse(text, exactNumberIn);
  const value: Json = JSON.parse(text);
  return exact.size === 0 ? value : withExact(value, exact);
}

/** An escape of half of a surrogate pair; most of them are followed by the other half. */
const MAY_HOLD_HALVES = /\\u[dD][89a-fA-F]/;

/** A value with every half of a surrogate pair, in texts and in names, replaced. */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}

/**
 * The value of each number as it is written, by the double that the native parser makes of it; undefined where it makes one
 * of two that differ. With a reviver that parser tells the text of each number, and takes ten times as long.
 */
function exactByDouble(numbers: readonly string[]): ReadonlyMap<number, number | bigint> | undefined {
  const exact = new Map<number, number | bigint>();
  for (const text of numbers) {
    const double = Number(text);
    if (Math.abs(double) <= Number.MAX_SAFE_INTEGER) continue;
    const value = exactNumber(text);
    if ((exact.get(double) ?? value) !== value) return undefined;
    exact.set(double, value);
  }
  return exact;
}

/** A parsed value with its numbers as they were written; nobody else has it yet, so that it is changed itself. */
function withExact(value: Json, exact: ReadonlyMap<number, number | bigint>): Json {
  if (typeof value === "number") return exact.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withExact(value[at] ?? null, exact);
    return value;
  }
  for (const name in value) {
    const member = value[name] ?? null;
    // Most values are text: of those there are many, and nothing is asked.
    if (typeof member === "string") continue;
    const read = withExact(member, exact);
    if (read !== member) value[name] = read;
  }
  return value;
}

/** The object that JSON text says; undefined for other values, and for what is no JSON. */
export function objectIn(text: string): { [key: string]: Json } | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many levels an envelope or our records may put around a program's document. */
const AROUND = 100;

/**
 * Writes JSON: a bigint as a plain number, members that are undefined left out.
 * @throws RangeError for NaN and the infinities, which JSON cannot say.
 */
export function formatJson(value: Json, indent?: number): string {
  return plainText(value, indent) ?? JSON.stringify(value, asWholeNumbers, indent) ?? "null";
}

/**
 * What the native writer makes of a value, as for nearly every one: without a replacer it is many times faster. Undefined
 * where it does not say it: it refuses a bigint, and writes null for a number that JSON cannot say.
 */
function plainText(value: Json, indent?: number): string | undefined {
  try {
    const text = JSON.stringify(value, undefined, indent);
    return text?.includes("null") && !isSayable(value) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether JSON can say each number in a value. */
function isSayable(value: Json | undefined): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSayable);
  for (const name in value) if (!isSayable(value[name])) return false;
  return true;
}

/** Narrows to a JSON object: no array, no null. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality: the order of keys does not matter, an absent member equals an undefined one, and 1 equals 1n. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isNumeric(a) && isNumeric(b)) return sameNumber(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => equalJson(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  // Without lists of what is in them: most that differ do so early.
  for (const name in a) if (!equalJson(ownMember(a, name), ownMember(b, name))) return false;
  for (const name in b) if (!Object.hasOwn(a, name) && b[name] !== undefined) return false;
  return true;
}

/** What the native parser tells of a number beside its value; TypeScript's library does not know of it yet. */
interface NumberText {
  readonly source?: string;
}

/** A reviver that keeps integers beyond 2^53, by the text of the number. */
function exactNumberIn(this: unknown, _name: string, value: unknown, ...told: unknown[]): unknown {
  if (typeof value !== "number") return value;
  const [{ source } = {}] = told as [NumberText?];
  return source === undefined ? value : exactNumber(source);
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : BigInt(text);
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** The native writer with the text of a number; TypeScript's library does not know of it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown };

function asWholeNumbers(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return rawJSON(String(value));
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new RangeError(`${String(value)} cannot be written as JSON`);
}

function isNumeric(value: Json | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === typeof b) return a === b;
  return Number.isInteger(Number(a)) && Number.isInteger(Number(b)) && asWritten(a) === asWritten(b);
}

/** The integer that is written for a number. Beyond 2^53 a double stands for several; its shortest digits count. */
function asWritten(value: number | bigint): bigint {
  const text = String(value);
  return BigInt(/^-?\d+$/.test(text) ? text : value);
}

/** An own member of an object or a table: a user's key or name may be `constructor`. */
export function ownMember<V>(object: Readonly<Record<string, V>>, name: string): V | undefined {
  const member = object[name];
  // Everything that objects inherit is a function, but for what they inherit it from; to ask for each member whether it
  // is their own takes as long again.
  const mayBeInherited = typeof member === "function" || name === "__proto__";
  return mayBeInherited && !Object.hasOwn(object, name) ? undefined : member;
}
