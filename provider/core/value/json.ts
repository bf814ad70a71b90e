import { DEEPEST, scanJson } from "./scan";

/** A JSON value. An integer beyond ±2^53 is a bigint, because a double would change it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/**
 * Parses JSON without losing an integer: an integer beyond the safe range becomes a bigint, every other number becomes the
 * nearest double. If two members have the same name, the later member counts. Half of a surrogate pair is not a character:
 * it becomes U+FFFD, as in the services.
 * @throws SyntaxError if the text is not JSON, or is nested too deep to traverse. The error does not quote the text, which
 * may contain secrets.
 */
export function parseJson(text: string): Json {
  const { isTooDeep, largeNumbers } = scanJson(text, DEEPEST + AROUND);
  if (isTooDeep) throw new SyntaxError("the text is nested too deeply");
  try {
    const value = parseExactly(text, largeNumbers);
    return MAY_HOLD_HALVES.test(text) || !text.isWellFormed() ? wellFormed(value) : value;
  } catch {
    throw new SyntaxError(text.trim() === "" ? "empty text is not JSON" : "the text is not JSON");
  }
}

function parseExactly(text: string, largeNumbers: readonly string[]): Json {
  const exact = exactByDouble(largeNumbers);
  if (exact === undefined) return JSON.parse(text, exactNumberIn);
  const value: Json = JSON.parse(text);
  return exact.size === 0 ? value : withExact(value, exact);
}

/** The escape of half of a surrogate pair. In most cases the other half follows. */
const MAY_HOLD_HALVES = /\\u[dD][89a-fA-F]/;

/** Replaces every half of a surrogate pair, in strings and in names. */
function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
}

/**
 * The exact value of each number, by the double that the native parser returns; undefined if two different numbers have the
 * same double. With a reviver the parser reports the text of each number, but takes ten times as long.
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

/** Restores the exact numbers in a parsed value. Changes the value in place, because no one else uses it yet. */
function withExact(value: Json, exact: ReadonlyMap<number, number | bigint>): Json {
  if (typeof value === "number") return exact.get(value) ?? value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withExact(value[at] ?? null, exact);
    return value;
  }
  for (const name in value) {
    const member = value[name] ?? null;
    // Most values are strings. Skips them without a call, because there are many.
    if (typeof member === "string") continue;
    const read = withExact(member, exact);
    if (read !== member) value[name] = read;
  }
  return value;
}

/** The object in JSON text; undefined for other values and for text that is not JSON. */
export function objectIn(text: string): { [key: string]: Json } | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many levels an envelope or our records may add around a program's document. */
const AROUND = 100;

/**
 * Writes JSON. A bigint becomes a plain number, and undefined members are omitted.
 * @throws RangeError for NaN and the infinities, which JSON cannot represent.
 */
export function formatJson(value: Json, indent?: number): string {
  return plainText(value, indent) ?? JSON.stringify(value, asWholeNumbers, indent) ?? "null";
}

/**
 * The result of the native writer, which works for nearly every value: without a replacer it is many times faster. Undefined
 * if its result is wrong: the writer rejects a bigint, and writes null for a number that JSON cannot represent.
 */
function plainText(value: Json, indent?: number): string | undefined {
  try {
    const text = JSON.stringify(value, undefined, indent);
    return text?.includes("null") && !isSayable(value) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** True if JSON can represent each number in a value. */
function isSayable(value: Json | undefined): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSayable);
  for (const name in value) if (!isSayable(value[name])) return false;
  return true;
}

/** Narrows to a JSON object: not an array, not null. */
export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of a list; empty if the value is not a list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Deep equality: the order of keys does not matter, an absent member equals an undefined one, and 1 equals 1n. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isNumeric(a) && isNumeric(b)) return sameNumber(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => equalJson(element, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  // Iterates without lists of the members: most unequal objects differ early.
  for (const name in a) if (!equalJson(ownMember(a, name), ownMember(b, name))) return false;
  for (const name in b) if (!Object.hasOwn(a, name) && b[name] !== undefined) return false;
  return true;
}

/** The native parser passes this to a reviver with the value of a number. TypeScript's library does not declare it yet. */
interface NumberText {
  readonly source?: string;
}

/** A reviver that preserves integers beyond 2^53. It reads the text of the number. */
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

/** The native writer for the text of a number. TypeScript's library does not declare it yet. */
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

/** The integer that is written for a number. Beyond 2^53 a double represents several integers; its shortest digits count. */
function asWritten(value: number | bigint): bigint {
  const text = String(value);
  return BigInt(/^-?\d+$/.test(text) ? text : value);
}

/** An own member of an object or a table: a user's key or name may be `constructor`. */
export function ownMember<V>(object: Readonly<Record<string, V>>, name: string): V | undefined {
  const member = object[name];
  // All inherited members are functions, except `__proto__`. A call to hasOwn for each member would double the time.
  const mayBeInherited = typeof member === "function" || name === "__proto__";
  return mayBeInherited && !Object.hasOwn(object, name) ? undefined : member;
}

/** The members with these names. */
export function pick<T>(values: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

/** The members without these names. */
export function omit<T>(values: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}
