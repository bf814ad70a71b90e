import { GAP, isDropped, type TextView } from "./view";

/** All views of a text, one after the other, without the characters that the comparison with secrets ignores. */
export interface Haystack {
  readonly length: number;
  readonly codes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Bits: see {@link WORD_BEFORE}, {@link WORD_AFTER}, {@link DROPPED_BEFORE}. */
  readonly flags: Uint8Array;
}

/** A letter or a digit directly precedes the code unit in the view. */
export const WORD_BEFORE = 1;
/** A letter or a digit directly follows the code unit in the view. */
export const WORD_AFTER = 2;
/** White space or a backslash preceded the code unit. */
export const DROPPED_BEFORE = 4;

export function haystackOf(views: readonly TextView[]): Haystack {
  const capacity = views.reduce((sum, view) => sum + view.length + 1, 0);
  const codes = new Uint16Array(capacity);
  const starts = new Int32Array(capacity);
  const ends = new Int32Array(capacity);
  const flags = new Uint8Array(capacity);
  let to = 0;
  for (const view of views) {
    let dropped = 0;
    for (let at = 0; at < view.length; at += 1) {
      const code = view.codes[at] ?? GAP;
      if (isDropped(code)) {
        dropped = DROPPED_BEFORE;
        continue;
      }
      codes[to] = code;
      starts[to] = view.starts[at] ?? 0;
      ends[to] = view.ends[at] ?? 0;
      const before = at > 0 && isWordCode(view.codes[at - 1] ?? GAP) ? WORD_BEFORE : 0;
      const after = at + 1 < view.length && isWordCode(view.codes[at + 1] ?? GAP) ? WORD_AFTER : 0;
      flags[to] = before | after | dropped;
      dropped = 0;
      to += 1;
    }
    codes[to] = GAP;
    to += 1;
  }
  return { length: to, codes, starts, ends, flags };
}

/** True if a code unit belongs to a word: a letter, a digit or an underscore. */
export function isWordCode(code: number): boolean {
  if (code < 0x80) {
    const small = code | 0x20;
    return (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
  }
  if (code === GAP) return false;
  if (wordCodes[code] === UNASKED)
    wordCodes[code] = /^[\p{L}\p{N}]$/u.test(String.fromCharCode(code)) ? 1 : 0;
  return wordCodes[code] === 1;
}

/** Caches whether each code unit beyond ASCII belongs to a word, once it was tested. */
const UNASKED = 2;
const wordCodes = new Uint8Array(0x10000).fill(UNASKED);
