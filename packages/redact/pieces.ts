import type { Haystack } from "./haystack";
import { type Range, Ranges } from "./ranges";
import { PIECE } from "./secret";
import { GAP } from "./view";

/** Looked up once: it is called for each character of each secret. */
const { imul } = Math;

/**
 * Where pieces of long secrets stand. It is the text whose pieces are indexed, because it is the smaller: each secret
 * is then read once, whatever its size, and each of its pieces looked up.
 */
export function piecesIn(haystack: Haystack, secrets: Iterable<Uint16Array>): Range[] {
  const index = new PieceIndex(haystack);
  for (const secret of secrets) index.lookUp(secret);
  return index.found();
}

/**
 * The pieces of a text by their hashes; equal ones are one, so that a text that repeats itself costs no more. The
 * indexes are within their arrays wherever they are cast: a test for undefined would cost as much as all the rest.
 */
class PieceIndex {
  /** 1 and more: a piece's number. 0: none. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  /** Where in the haystack the piece of a number stands first. */
  readonly #firstAt: Int32Array;
  readonly #isFound: Uint8Array;
  /** The number of the piece that begins at each place of the haystack. */
  readonly #pieceAt: Int32Array;
  readonly #shift: number;
  #pieces = 0;

  constructor(private readonly haystack: Haystack) {
    const { codes, length } = haystack;
    const bits = Math.max(8, Math.ceil(Math.log2(length + 1)) + 1);
    this.#shift = 32 - bits;
    this.#first = new Int32Array(2 ** bits);
    this.#next = new Int32Array(length + 1);
    this.#firstAt = new Int32Array(length + 1);
    this.#isFound = new Uint8Array(length + 1);
    this.#pieceAt = new Int32Array(length);
    this.#walk(codes, length, true);
  }

  lookUp(secret: Uint16Array): void {
    this.#walk(secret, secret.length, false);
  }

  /** Rolls over all pieces without a gap in them: numbers those of the text, and marks those of a secret. */
  #walk(codes: Uint16Array, length: number, isText: boolean): void {
    const [first, shift] = [this.#first, this.#shift];
    let hash = 0;
    let from = 0;
    for (let at = 0; at < length; at += 1) {
      const code = codes[at] as number;
      if (code === GAP) {
        hash = 0;
        from = at + 1;
        continue;
      }
      hash = (imul(hash, BASE) + code) | 0;
      if (at - from >= PIECE) hash = (hash - imul(codes[at - PIECE] as number, LEAVING)) | 0;
      if (at - from < PIECE - 1) continue;
      const slot = imul(hash, SPREAD) >>> shift;
      if (first[slot] === 0 && !isText) continue;
      const place = at - PIECE + 1;
      const piece = this.#find(slot, codes, place);
      if (isText) this.#pieceAt[place] = piece === 0 ? this.#number(slot, place) : piece;
      else this.#isFound[piece] = 1;
    }
  }

  #find(slot: number, codes: Uint16Array, place: number): number {
    let piece = this.#first[slot] as number;
    while (piece !== 0 && !isEqual(this.haystack.codes, this.#firstAt[piece] as number, codes, place)) {
      piece = this.#next[piece] as number;
    }
    return piece;
  }

  #number(slot: number, place: number): number {
    this.#pieces += 1;
    const piece = this.#pieces;
    this.#firstAt[piece] = place;
    this.#next[piece] = this.#first[slot] as number;
    this.#first[slot] = piece;
    return piece;
  }

  found(): Range[] {
    const { starts, ends, length } = this.haystack;
    const ranges = new Ranges();
    for (let place = 0; place < length; place += 1) {
      const piece = this.#pieceAt[place] ?? 0;
      if (piece === 0 || this.#isFound[piece] === 0) continue;
      ranges.add(starts[place] ?? 0, ends[place + PIECE - 1] ?? 0);
    }
    return ranges.all;
  }
}

function isEqual(a: Uint16Array, atA: number, b: Uint16Array, atB: number): boolean {
  for (let offset = 0; offset < PIECE; offset += 1) if (a[atA + offset] !== b[atB + offset]) return false;
  return true;
}

/** Another one in each process, so that nobody can write a text whose pieces share one hash. */
const BASE = (Math.floor(Math.random() * 2 ** 30) * 4 + 5) | 0;
/** What a code unit weighs when it leaves the piece. */
const LEAVING = Array.from({ length: PIECE }).reduce<number>((power) => imul(power, BASE), 1);
/** 2^32 divided by the golden ratio: the high bits of a product with it are spread evenly. */
const SPREAD = 0x9e3779b1 | 0;
