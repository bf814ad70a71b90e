import fc from "fast-check";

/** One way in which a service may spell text that it quotes. */
export type Spelling = (text: string) => string;

const bytes = (text: string) => [...Buffer.from(text)];
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const big = (text: string) => text.replace(/[a-f\d]+$/, (digits) => digits.toUpperCase());
const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** Every way in which a layer of a message spells text, by its name. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  "JSON text": (text) => JSON.stringify(text),
  "JSON text with escaped slashes": (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  "JSON text as Go writes it": (text) =>
    JSON.stringify(text).replace(/[<>&]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`),
  "JSON text of escapes alone": (text) =>
    units(text)
      .map((unit) => `\\u${hex(unit, 4)}`)
      .join(""),
  "JSON text of escapes alone, in capitals": (text) =>
    units(text)
      .map((unit) => big(`\\u${hex(unit, 4)}`))
      .join(""),
  "text with braced escapes": (text) =>
    [...text].map((sign) => `\\u{${hex(sign.codePointAt(0) ?? 0, 1)}}`).join(""),
  "bytes of a programming language": (text) =>
    bytes(text)
      .map((byte) => `\\x${hex(byte, 2)}`)
      .join(""),
  "a part of a URL": encodeURIComponent,
  "a whole URL": encodeURI,
  "a part of a URL, in small letters": (text) =>
    encodeURIComponent(text).replace(/%../g, (triple) => triple.toLowerCase()),
  "percent alone": (text) =>
    bytes(text)
      .map((byte) => `%${hex(byte, 2)}`)
      .join(""),
  "a form": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "HTML by name": (text) => text.replace(/[&<>"'/=+!$%()]/g, (sign) => `&${NAMES[sign] ?? "amp"};`),
  "HTML by number": (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(""),
  "HTML by hexadecimal number": (text) =>
    [...text].map((sign) => `&#X${hex(sign.codePointAt(0) ?? 0, 1)};`).join(""),
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "base64 in lines": (text) =>
    Buffer.from(text)
      .toString("base64")
      .replace(/.{64}/g, (line) => `${line}\n`),
  "base64 behind one byte": (text) => Buffer.from(`:${text}`).toString("base64"),
  "base64 behind two bytes": (text) => Buffer.from(`u:${text};`).toString("base64"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "a quotation in lines": (text) => text.replace(/.{20}/gsu, (line) => `${line}\n    `),
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

/** A mixture: one spelling within another. */
export const mixture = fc.array(fc.constantFrom(...Object.keys(SPELLINGS)), { minLength: 1, maxLength: 3 });

/** A secret in a mixture of spellings, the first of them the innermost. */
export function spelled(secret: string, names: readonly string[]): string {
  return names.reduce((text, name) => SPELLINGS[name]?.(text) ?? text, secret);
}

/** Text of 20 to 80 random letters, digits and signs, of which none is white space or a backslash: each of them counts. */
export const secretText = fc.string({
  unit: fc.constantFrom(..."abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRSTUVWXYZ23456789/+=-_!\"'<>&%$#@ü€😀"),
  minLength: 20,
  maxLength: 80,
});
