import type { Range } from "./ranges";
import type { TextView } from "./view";

/** The userinfo of URLs, `me:password` in `https://me:password@host`. It is masked even if no one registered it as a secret. */
export function userinfoIn({ codes, length, starts, ends }: TextView): Range[] {
  const ranges: Range[] = [];
  for (let at = 1; at + 2 < length; at += 1) {
    const isAuthority = codes[at] === COLON && codes[at + 1] === SLASH && codes[at + 2] === SLASH;
    if (!isAuthority || !isSchemeCode(codes[at - 1] ?? 0)) continue;
    const from = at + 3;
    let last = -1;
    let end = from;
    for (; end < length && !ENDS.has(codes[end] ?? 0); end += 1) if (codes[end] === AT) last = end;
    if (last > from) ranges.push([starts[from] ?? 0, ends[last - 1] ?? 0]);
    // The character that ends an authority never starts another, so that the text is read once.
    at = end - 1;
  }
  return ranges;
}

function isSchemeCode(code: number): boolean {
  const small = code | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39) || SCHEME_SIGNS.has(code);
}

const codesOf = (text: string) => new Set([...text].map((character) => character.charCodeAt(0)));
const ENDS = codesOf("/?# \t\r\n\v\f\u00a0\u2028\u2029\"'<>");
const SCHEME_SIGNS = codesOf("+-.");
const [COLON, SLASH, AT] = [0x3a, 0x2f, 0x40];
