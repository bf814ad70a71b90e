import { GAP, isDropped } from "./view";
import { viewsOfSecret } from "./views";

/** Runs of at least this many characters of a secret are found anywhere. A shorter secret is found only if it is complete. */
export const PIECE = 12;
/** A shorter text is not treated as a secret: masking it would split ordinary words and reveal the secret. */
export const SHORTEST = 4;
/** A shorter secret is found only as a complete word. */
const WORD = 8;

/** A secret, prepared for the search. */
export interface Sought {
  /** Found by any of its pieces. */
  readonly long: readonly Uint16Array[];
  /** Found only if complete. */
  readonly short: readonly ShortSecret[];
  /** Found exactly as written. Set for a secret that consists mostly of ignored characters. */
  readonly literal?: string;
}

export interface ShortSecret {
  readonly text: string;
  readonly isWord: boolean;
  /** True if the secret itself contains white space or a backslash, which then also splits every quotation of it. */
  readonly hasGaps: boolean;
}

/** A secret is text, or a number that was marked as secret. */
export type Secret = string | number | bigint;

export function searchTextsOf(secret: Secret): Sought {
  if (typeof secret === "string") return searchTextsOfText(secret.toWellFormed());
  const text = String(secret);
  return {
    long: [],
    short: text.replace(/\D/g, "").length < SHORTEST ? [] : [{ text, isWord: true, hasGaps: false }],
  };
}

function searchTextsOfText(secret: string): Sought {
  if (secret.length < SHORTEST) return NOTHING;
  const long: Uint16Array[] = [];
  const short: ShortSecret[] = [];
  const hasGaps = /[\s\\]/.test(secret.trim());
  for (const codes of withEscapes(secret)) {
    for (const piece of piecesOf(codes)) {
      if (piece.length >= PIECE) long.push(piece);
      else if (piece.length >= SHORTEST) short.push(shortSecret(piece, hasGaps));
    }
  }
  const isFound = long.length + short.length > 0 || secret.trim() === "";
  return { long, short, ...(!isFound && { literal: secret }) };
}

function shortSecret(codes: Uint16Array, hasGaps: boolean): ShortSecret {
  return { text: String.fromCharCode(...codes), isWord: codes.length < WORD, hasGaps };
}

/** Most secrets contain no escapes and are read once. */
function* withEscapes(secret: string): Generator<Uint16Array> {
  if (/[\\%&]/.test(secret)) for (const { codes } of viewsOfSecret(secret)) yield codes;
  else {
    const codes = new Uint16Array(secret.length);
    for (let at = 0; at < secret.length; at += 1) codes[at] = secret.charCodeAt(at);
    yield codes;
  }
}

/** The parts of a secret to search for: without white space and backslashes, and without PEM armour, which is not secret. */
function piecesOf(secret: Uint16Array): Uint16Array[] {
  const pieces: Uint16Array[] = [];
  const counted = new Uint16Array(secret.length);
  let from = 0;
  let to = 0;
  for (let at = 0; at < secret.length; at += 1) {
    const code = secret[at] ?? GAP;
    const armour = code === DASH ? armourAt(secret, at) : 0;
    if (armour > 0 || code === GAP) {
      if (to > from) pieces.push(counted.subarray(from, to));
      from = to;
      at += Math.max(0, armour - 1);
    } else if (!isDropped(code)) {
      counted[to] = code;
      to += 1;
    }
  }
  if (to > from) pieces.push(counted.subarray(from, to));
  return pieces;
}

/** The length of the line of PEM armour that starts here, `-----BEGIN PRIVATE KEY-----`; 0 if none starts here. */
function armourAt(codes: Uint16Array, from: number): number {
  // The check of the first dash covers the dashes that follow it, so that a row of dashes is read once.
  if (codes[from - 1] === DASH) return 0;
  return ARMOUR.exec(String.fromCharCode(...codes.subarray(from, from + LONGEST_ARMOUR)))?.[0].length ?? 0;
}

const ARMOUR = /^-{5}(?:BEGIN|END) [A-Z0-9 ]{1,64}-{5}/;
const LONGEST_ARMOUR = 80;
const DASH = 0x2d;
const NOTHING: Sought = { long: [], short: [] };
