import { DEEPEST, tooDeepInText } from "./depth";

/** A JSON value. An integer beyond ±2^53 is a bigint, because a double would change it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/**
 * Reads JSON without losing an integer: one beyond the safe range becomes a bigint, every other number is
 * the nearest double. Of two members with one name the later counts.
 * @throws SyntaxError that quotes nothing of the text, which may hold secrets; also where it is nested so deep that
 * no walk over it would come to an end.
 */
export function parseJson(text: string): Json {
  if (tooDeepInText(text, DEEPEST + AROUND) !== undefined)
    throw new SyntaxError("the text is nested too deep");
  try {
    // What is parsed is what the grammar allows, which is Json.
    return (NEEDS_CARE.test(text) ? EXACT.parse(text, exactly) : JSON.parse(text)) as Json;
  } catch {
    throw new SyntaxError(text.trim() === "" ? "empty text is not JSON" : "the text is not JSON");
  }
}

/** How deep a program's document may stand in what others put around it: an answer's envelope, our records. */
const AROUND = 100;

/**
 * Writes JSON: a bigint as a plain number, members that are undefined left out.
 * @throws RangeError for NaN and the infinities, which JSON cannot say.
 */
export function formatJson(value: Json, indent?: number): string {
  const written = isPlain(value)
    ? JSON.stringify(value, null, indent)
    : JSON.stringify(value, exactText, indent);
  return written ?? "null";
}

/** Node's own JSON, which hands a number's text to a reviver and takes one as it is: TypeScript's library lacks both. */
const EXACT = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};

/** Whether the native writer can say all of it, as nearly always: then it writes the same, many times faster. */
function isPlain(value: Json | undefined): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.values(value).every(isPlain);
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
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => equalJson(ownMember(a, name), ownMember(b, name)));
}

/** Sixteen digits may be beyond 2^53, and three of an exponent beyond a double; without them the native parser is exact. */
const NEEDS_CARE = /\d{16}|[eE]\+?\d{3}/;

function exactly(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined ? exactNumber(source) : value;
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : BigInt(text);
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function exactText(_: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new RangeError(`${value} cannot be written as JSON`);
  return typeof value === "bigint" ? EXACT.rawJSON(String(value)) : value;
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

/** A member of an object's own: a map of the user's may have a key such as `constructor`. */
export function ownMember(object: { [key: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
