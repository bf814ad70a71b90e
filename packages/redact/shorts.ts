import { DROPPED_BEFORE, type Haystack, isWordCode, WORD_AFTER, WORD_BEFORE } from "./haystack";
import type { Range } from "./ranges";
import { SHORTEST, type ShortSecret } from "./secret";
import { GAP } from "./view";

/** Finds the complete occurrences of short secrets. */
export function shortsIn(haystack: Haystack, secrets: Iterable<ShortSecret>): Range[] {
  const { byBeginning, beginnings } = indexByBeginning(secrets);
  if (byBeginning.size === 0) return [];
  const { codes, length, starts, ends } = haystack;
  const ranges: Range[] = [];
  let hash = 0;
  for (let at = 0; at < length; at += 1) {
    // A hash of the last code units. Older code units are shifted out at the top.
    hash = ((hash << 8) ^ mixBits(codes[at] ?? GAP)) | 0;
    const from = at - SHORTEST + 1;
    if (from < 0 || beginnings[hash >>> FOLD] === 0) continue;
    const beginning = byBeginning.get(textAt(codes, from, SHORTEST));
    if (beginning === undefined) continue;
    for (const size of beginning.sizes) {
      const secret = beginning.secrets.get(textAt(codes, from, size));
      if (secret === undefined || (secret.isWord && !isWholeWord(haystack, from, secret))) continue;
      ranges.push([starts[from] ?? 0, ends[from + size - 1] ?? 0]);
    }
  }
  return ranges;
}

/** Short secrets with the same beginning. */
interface Beginning {
  readonly sizes: Set<number>;
  readonly secrets: Map<string, ShortSecret>;
}

function indexByBeginning(secrets: Iterable<ShortSecret>) {
  const byBeginning = new Map<string, Beginning>();
  const beginnings = new Uint8Array(2 ** (32 - FOLD));
  for (const secret of secrets) {
    const { text } = secret;
    const beginning = text.slice(0, SHORTEST);
    const { sizes, secrets: own } = byBeginning.get(beginning) ?? { sizes: new Set(), secrets: new Map() };
    sizes.add(text.length);
    // A secret that is found anywhere is also found as a word.
    const { isWord = true, hasGaps = false } = own.get(text) ?? {};
    own.set(text, { text, isWord: secret.isWord && isWord, hasGaps: secret.hasGaps || hasGaps });
    byBeginning.set(beginning, { sizes, secrets: own });
    const hash = [...beginning].reduce((sum, _, at) => (sum << 8) ^ mixBits(beginning.charCodeAt(at)), 0);
    beginnings[hash >>> FOLD] = 1;
  }
  return { byBeginning, beginnings };
}

/** Ignores this many low bits of the 32-bit hash. */
const FOLD = 20;

function mixBits(code: number): number {
  return (code ^ (code >> 8)) & 0xff;
}

function textAt(codes: Uint16Array, from: number, size: number): string {
  return String.fromCharCode(...codes.subarray(from, from + size));
}

/**
 * True if no letter or digit continues the secret on either side. Unless the secret itself has gaps, no ignored character
 * may split it.
 */
function isWholeWord({ codes, flags }: Haystack, from: number, { text, hasGaps }: ShortSecret): boolean {
  const last = from + text.length - 1;
  for (let at = from + 1; at <= last && !hasGaps; at += 1)
    if (((flags[at] ?? 0) & DROPPED_BEFORE) !== 0) return false;
  const isCutBefore = !isWordCode(codes[from] ?? GAP) || ((flags[from] ?? 0) & WORD_BEFORE) === 0;
  return isCutBefore && (!isWordCode(codes[last] ?? GAP) || ((flags[last] ?? 0) & WORD_AFTER) === 0);
}
