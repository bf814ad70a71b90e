import { equalJson, formatJson, isObject, type Json } from "./json";
import { isKnown, type Value } from "./unknown";

/** The text of a scalar; undefined for null, a list or an object. */
export function textIn(value: Json | undefined): string | undefined {
  return value === null || typeof value === "object"
    ? undefined
    : value === undefined
      ? value
      : String(value);
}

/** A value of a response as a string, to display or compare: its text, or else its JSON. Empty if it is absent. */
export function stringIn(value: Json | undefined): string {
  return textIn(value) ?? (value === undefined ? "" : formatJson(value));
}

/** The elements of a list in a response as strings; empty if the value is not a list. */
export function stringsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(stringIn) : [];
}

/** An integer from 0, as a number or as digits; undefined for any other value. */
export function wholeIn(value: Json | undefined): bigint | undefined {
  const text = textIn(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** A finite number, as a number or as digits; undefined for any other value. */
export function numberIn(value: Json | undefined): number | undefined {
  const text = textIn(value)?.trim() ?? "";
  const number = text === "" || typeof value === "boolean" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A number of a response for calculations; NaN for any other value. */
export function amountIn(value: Json | undefined): number {
  return numberIn(value) ?? Number.NaN;
}

/** The time this many seconds after a time in milliseconds (RFC 3339); undefined if it is beyond the range of dates. */
export function endOf(since: number, seconds: number): string | undefined {
  const end = new Date(since + seconds * 1000);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** The index after the closing quote of a quoted text with escapes; undefined if it is never closed. */
export function endOfQuoted(text: string, openingQuote: number): number | undefined {
  for (let at = openingQuote + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return undefined;
}

/** A word of a shell command, in quotes if it needs them. */
export function shellWord(word: string): string {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Removes all occurrences of a character at the end of a text, such as the slashes of a path. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Equal if null, "", [] and {} count as absent. An unknown value equals nothing. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  return equalKnown(a, b);
}

/** Equal inside a document. An empty string counts as a value there, because it may be in a user's map. */
export function sameInDocument(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return equalKnown(a, b);
}

/** Equal and completely known. Checks equality first: it is cheaper, and equal values have the same unknown parts. */
function equalKnown(a: Value | undefined, b: Value | undefined): boolean {
  // Compares an unknown part like any value: it equals only itself.
  return equalJson(a as Json, b as Json) && isKnown(a);
}

/** True for absence, null, "", [] and {}, which all mean that nothing is set. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
