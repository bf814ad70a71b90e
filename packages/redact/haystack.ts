import { GAP, isDropped, type TextView } from "./view";

/** All views of a text, one after the other, without the characters that are ignored where secrets are compared. */
export interface Haystack {
  readonly length: number;
  readonly codes: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Bits: see {@link WORD_BEFORE}, {@link WORD_AFTER}, {@link DROPPED_BEFORE}. */
  readonly flags: Uint8Array;
}

/** In the view, a letter or a digit stands right before it. */
export const WORD_BEFORE = 1;
/** … right after it. */
export const WORD_AFTER = 2;
/** White space or a backslash stood before it. */
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

/** Whether a code unit belongs to words: a letter, a digit or a low line. */
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

/** Whether each code unit beyond ASCII belongs to words, as far as it was asked. */
const UNASKED = 2;
const wordCodes = new Uint8Array(0x10000).fill(UNASKED);
