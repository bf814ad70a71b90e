import { formatJson, type Json } from "./json";

/** The text of a value that is one: a list or an object in its place says nothing. */
export function textIn(value: Json | undefined): string | undefined {
  return value === null || typeof value === "object"
    ? undefined
    : value === undefined
      ? value
      : String(value);
}

/** A value of an answer as a word, to be told or compared: its text, or whatever else it is as JSON; of nothing, none. */
export function wordIn(value: Json | undefined): string {
  return textIn(value) ?? (value === undefined ? "" : formatJson(value));
}

/** The words of a list in an answer; of what is none, none. */
export function wordsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(wordIn) : [];
}

/** A whole number from 0 on, as a number or in digits; undefined for whatever else stands in its place. */
export function wholeIn(value: Json | undefined): bigint | undefined {
  const text = textIn(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** A finite number, as one or in digits; undefined for whatever else stands in its place. */
export function numberIn(value: Json | undefined): number | undefined {
  const text = textIn(value)?.trim() ?? "";
  const number = text === "" || typeof value === "boolean" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A number of an answer to reckon with: NaN where whatever else stands in its place. */
export function amountIn(value: Json | undefined): number {
  return numberIn(value) ?? Number.NaN;
}

/** The end of so many seconds from a time in milliseconds on (RFC 3339); undefined where no calendar says it. */
export function endOf(since: number, seconds: number): string | undefined {
  const end = new Date(since + seconds * 1000);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Anything that was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The end of a quoted text with escapes, behind its closing quote; undefined where it is never closed. */
export function endOfQuoted(text: string, openingQuote: number): number | undefined {
  for (let at = openingQuote + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return undefined;
}

/** A word of a shell's command, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path without the slashes at its end, however many there are. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
