/** The maximum nesting of a program's documents. Every traversal recurses, and the stack is limited. */
export const DEEPEST = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Facts about a JSON text that are known before it is parsed. */
export interface Scan {
  readonly isTooDeep: boolean;
  /** The numbers in the text, as written, that a double may change or that may exceed the range of doubles. */
  readonly largeNumbers: readonly string[];
}

/** A number with fewer digits is below 2^53. */
const MANY_DIGITS = 16;

/** Reads a text once and skips the contents of strings. */
export function scanJson(text: string, deepest: number): Scan {
  let depth = 0;
  const largeNumbers: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isDigit(code) || code === MINUS) {
      const { end, hasExponent } = endOfNumber(text, at);
      if (hasExponent || end - at >= MANY_DIGITS) largeNumbers.push(text.slice(at, end));
      at = end - 1;
    }
    // "[" and "{", and their ends, differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      depth += 1;
      if (depth > deepest) return { isTooDeep: true, largeNumbers };
    } else if ((code | 0x20) === 0x7d) depth -= 1;
  }
  return { isTooDeep: false, largeNumbers };
}

/** The index of the first character after the number that begins here. */
function endOfNumber(text: string, first: number): { end: number; hasExponent: boolean } {
  let hasExponent = false;
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // "e" and "E".
    if ((code | 0x20) === 0x65) hasExponent = true;
    // "+", "-" and ".".
    else if (!isDigit(code) && code !== 0x2b && code !== MINUS && code !== 0x2e)
      return { end: at, hasExponent };
  }
  return { end: text.length, hasExponent };
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The index of the closing quote of the string that begins here, or the end of the text. */
function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
