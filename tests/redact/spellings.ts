import fc from "fast-check";

/** One way in which a service may encode text that it quotes. */
export type Encoding = (text: string) => string;

const bytes = (text: string) => [...Buffer.from(text)];
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const big = (text: string) => text.replace(/[a-f\d]+$/, (digits) => digits.toUpperCase());
const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** Every encoding of text that a layer of a message may use, by its name. */
export const SPELLINGS: Readonly<Record<string, Encoding>> = {
  "JSON text": (text) => JSON.stringify(text),
  "JSON text with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "JSON text in Go's format": (text) =>
    JSON.stringify(text).replace(/[<>&]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`),
  "JSON text with only escapes": (text) =>
    units(text)
      .map((unit) => `\\u${hex(unit, 4)}`)
      .join(""),
  "JSON text with only escapes, in upper case": (text) =>
    units(text)
      .map((unit) => big(`\\u${hex(unit, 4)}`))
      .join(""),
  "text with braced escapes": (text) =>
    [...text].map((sign) => `\\u{${hex(sign.codePointAt(0) ?? 0, 1)}}`).join(""),
  "byte escapes": (text) =>
    bytes(text)
      .map((byte) => `\\x${hex(byte, 2)}`)
      .join(""),
  "a URL component": encodeURIComponent,
  "a URL": encodeURI,
  "a URL component, in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (triple) => triple.toLowerCase()),
  "only percent escapes": (text) =>
    bytes(text)
      .map((byte) => `%${hex(byte, 2)}`)
      .join(""),
  "a form value": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "named HTML entities": (text) => text.replace(/[&<>"'/=+!$%()]/g, (sign) => `&${NAMES[sign] ?? "amp"};`),
  "decimal HTML entities": (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(""),
  "hexadecimal HTML entities": (text) =>
    [...text].map((sign) => `&#X${hex(sign.codePointAt(0) ?? 0, 1)};`).join(""),
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "base64 in lines": (text) =>
    Buffer.from(text)
      .toString("base64")
      .replace(/.{64}/g, (line) => `${line}\n`),
  "base64 after one byte": (text) => Buffer.from(`:${text}`).toString("base64"),
  "base64 after two bytes": (text) => Buffer.from(`u:${text};`).toString("base64"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "a wrapped quotation": (text) => text.replace(/.{20}/gsu, (line) => `${line}\n    `),
  itself: (text) => text,
};

const NAMES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "=": "equals",
  "+": "plus",
  "!": "excl",
  $: "dollar",
  "%": "percnt",
  "(": "lpar",
  ")": "rpar",
};

/** A combination of nested encodings. */
export const encodings = fc.array(fc.constantFrom(...Object.keys(SPELLINGS)), { minLength: 1, maxLength: 3 });

/** A secret in nested encodings, of which the first is the innermost. */
export function encoded(secret: string, names: readonly string[]): string {
  return names.reduce((text, name) => SPELLINGS[name]?.(text) ?? text, secret);
}

/** Text of 20 to 80 random letters, digits and symbols, without white space and backslashes, which are ignored. */
export const secretText = fc.string({
  unit: fc.constantFrom(..."abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789/+=-_!\"'<>&%$#@ü€😀"),
  minLength: 20,
  maxLength: 80,
});
