/** How deep a program's documents may be nested. Every walk over them recurses, and stacks end. */
export const DEEPEST = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const PLUS = 0x2b;

/** What there is to know of a JSON text before a parser sees it. */
export interface Scan {
  readonly isTooDeep: boolean;
  /** Whether a number may be in it that a double would change or that is beyond all of them. */
  readonly needsCare: boolean;
}

/** Sixteen digits may be beyond 2^53, and three of an exponent beyond a double; without them the native parser is exact. */
const MANY_DIGITS = 16;
const LARGE_EXPONENT = 3;

/** Reads a text once; what stands inside strings is only skipped. */
export function scanJson(text: string, deepest: number): Scan {
  let depth = 0;
  let digits = 0;
  let inExponent = false;
  let needsCare = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      needsCare ||= digits >= (inExponent ? LARGE_EXPONENT : MANY_DIGITS);
      continue;
    }
    if (inExponent && code === PLUS && digits === 0) continue;
    digits = 0;
    // "e" and "E".
    inExponent = (code | 0x20) === 0x65;
    if (code === QUOTE) at = endOfString(text, at);
    // "[" and "{", and their ends, differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      depth += 1;
      if (depth > deepest) return { isTooDeep: true, needsCare };
    } else if ((code | 0x20) === 0x7d) depth -= 1;
  }
  return { isTooDeep: false, needsCare };
}

/** Where the string ends that begins here: at its closing quote, or at the end of the text. */
function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
