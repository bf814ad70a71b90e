import { hexDigit } from "./view";

/** HTML's longest name has 31 letters. */
const LONGEST_NAME = 31;

/** The HTML character reference at an ampersand, by name or by number; undefined if no reference starts there. */
export function entityAt(
  codes: Uint16Array,
  at: number,
  length: number,
): { readonly length: number; readonly points: readonly number[] } | undefined {
  return codes[at + 1] === NUMBER_SIGN
    ? numericReferenceAt(codes, at + 2)
    : namedReferenceAt(codes, at, length);
}

function numericReferenceAt(codes: Uint16Array, from: number) {
  const isHex = ((codes[from] ?? 0) | 0x20) === SMALL_X;
  const first = isHex ? from + 1 : from;
  let point = 0;
  for (let at = first; at < first + 8; at += 1) {
    if (codes[at] === SEMICOLON && at > first) {
      return point <= 0x10ffff ? { length: at - from + 3, points: [point] } : undefined;
    }
    const digit = hexDigit(codes[at]);
    if (digit < 0 || (!isHex && digit > 9)) return undefined;
    point = point * (isHex ? 16 : 10) + digit;
  }
  return undefined;
}

function namedReferenceAt(codes: Uint16Array, at: number, length: number) {
  const last = Math.min(length, at + LONGEST_NAME + 2);
  for (let end = at + 1; end < last; end += 1) {
    if (codes[end] === SEMICOLON) {
      const points = pointsOf(String.fromCharCode(...codes.subarray(at, end + 1)));
      return points && { length: end + 1 - at, points };
    }
    if (!isNameLetter(codes[end] ?? 0)) return undefined;
  }
  return undefined;
}

function isNameLetter(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** The code points of `&name;`; undefined for a name that HTML does not define. */
function pointsOf(reference: string): readonly number[] | undefined {
  // Loaded only if a name occurs: HTML defines two thousand names.
  const { decodeHTMLStrict } = require("entities/decode") as typeof import("entities/decode");
  const decoded = decodeHTMLStrict(reference);
  return decoded === reference ? undefined : [...decoded].map((character) => character.codePointAt(0) ?? 0);
}

const [NUMBER_SIGN, SEMICOLON, SMALL_X] = [0x23, 0x3b, 0x78];
