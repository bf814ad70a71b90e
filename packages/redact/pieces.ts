import type { Haystack } from "./haystack";
import { type Range, Ranges } from "./ranges";
import { PIECE } from "./secret";
import { GAP } from "./view";

/** Looked up once, because it is called for each character of each secret. */
const { imul } = Math;

/**
 * Finds the pieces of long secrets. Indexes the pieces of the text and not of the secrets, because the text is smaller. Each
 * secret is then read once, at any size, and each of its pieces is looked up.
 */
export function piecesIn(haystack: Haystack, secrets: Iterable<Uint16Array>): Range[] {
  const index = new PieceIndex(haystack);
  for (const secret of secrets) index.lookUp(secret);
  return index.foundRanges();
}

/**
 * The pieces of a text by their hashes. Equal pieces are stored once, so that repetitive text costs no more. All cast
 * indexes are within their arrays: a test for undefined would cost as much as everything else.
 */
class PieceIndex {
  /** The number of a piece, from 1; 0 means that no piece has this hash. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  /** The first position of each piece in the haystack, by the piece's number. */
  readonly #firstAt: Int32Array;
  readonly #isFound: Uint8Array;
  /** The number of the piece that starts at each position of the haystack. */
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

  /**
   * Computes the hash of every piece without a gap. Numbers the pieces of the text, or marks the pieces of a secret as
   * found.
   */
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

  foundRanges(): Range[] {
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

/** Different in each process, so that no one can write a text whose pieces share one hash. */
const BASE = (Math.floor(Math.random() * 2 ** 30) * 4 + 5) | 0;
/** The weight of a code unit that leaves the piece. */
const LEAVING = Array.from({ length: PIECE }).reduce<number>((power) => imul(power, BASE), 1);
/** 2^32 divided by the golden ratio: the high bits of a product with it are spread evenly. */
const SPREAD = 0x9e3779b1 | 0;
