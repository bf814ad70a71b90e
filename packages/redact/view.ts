/**
 * A text, raw or decoded, as code units with the position of each in the raw text. One code unit of a decoded view may
 * represent several code units of the raw text.
 */
export interface TextView {
  readonly length: number;
  readonly codes: Uint16Array;
  /** The start and the end of each code unit in the raw text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Separates two pieces of a view that do not belong together. No secret contains it, because it is not a character. */
export const GAP = 0xffff;

/** A view of the raw text itself. */
export function viewOf(text: string): TextView {
  const writer = new ViewWriter(text.length);
  for (let at = 0; at < text.length; at += 1) writer.put(text.charCodeAt(at), at, at + 1);
  return writer.view();
}

/** Writes a view, up to the capacity that it was created with. */
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

  /** Removes everything after this length. */
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

/** True if the comparison with secrets ignores a code unit: white space, and the backslashes of escapes. */
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

/** The value of a hexadecimal digit in either case; -1 for any other code unit. */
export function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}
