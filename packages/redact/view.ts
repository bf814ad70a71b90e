/**
 * A text, raw or decoded, code unit by code unit, with the place of each in the raw text. In a decoded view a code unit may
 * stand for several of the raw text.
 */
export interface TextView {
  readonly length: number;
  readonly codes: Uint16Array;
  /** Where in the raw text each code unit begins, and where it ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Stands where two pieces of a view do not belong together. No secret holds it: it is no character. */
export const GAP = 0xffff;

/** The raw text itself. */
export function viewOf(text: string): TextView {
  const writer = new ViewWriter(text.length);
  for (let at = 0; at < text.length; at += 1) writer.put(text.charCodeAt(at), at, at + 1);
  return writer.view();
}

/** Writes a view, of at most the length that it was made for. */
export class ViewWriter {
  #length = 0;
  readonly #codes: Uint16Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(capacity: number) {
    this.#codes = new Uint16Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  put(code: number, start: number, end: number): void {
    this.#codes[this.#length] = code;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  putCodePoint(point: number, start: number, end: number): void {
    if (point <= 0xffff) {
      this.put(point, start, end);
      return;
    }
    this.put(0xd800 + ((point - 0x10000) >> 10), start, end);
    this.put(0xdc00 + ((point - 0x10000) & 0x3ff), start, end);
  }

  /** Takes back what was written after this length. */
  cut(length: number): void {
    this.#length = length;
  }

  view(): TextView {
    const length = this.#length;
    return {
      length,
      codes: this.#codes.subarray(0, length),
      starts: this.#starts.subarray(0, length),
      ends: this.#ends.subarray(0, length),
    };
  }
}

/** Whether a code unit counts for nothing where secrets are compared: white space, and what escapes are made of. */
export function isDropped(code: number): boolean {
  return (
    code === BACKSLASH || (code <= 0x20 ? code >= 9 && (code <= 13 || code === 0x20) : isWideSpace(code))
  );
}

function isWideSpace(code: number): boolean {
  if (code < 0x85) return false;
  if (code === 0x85 || code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0xfeff) return true;
  return (
    code >= 0x2000 &&
    (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f)
  );
}

const BACKSLASH = 0x5c;

/** The value of a hexadecimal digit of either case; -1 for everything else. */
export function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}
