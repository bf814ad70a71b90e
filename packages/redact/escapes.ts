import { entityAt } from "./entities";
import { Utf8 } from "./utf8";
import { hexDigit, isDropped, type TextView, ViewWriter } from "./view";

/**
 * A view with one layer of escapes undone, of all kinds: those of JSON and programming languages, percent and `\x` as bytes
 * of UTF-8, HTML references by name and number. Undefined if the view contains no escapes.
 * @param isForm true if a plus is a blank, as in a form
 */
export function unescapeView(view: TextView, isForm = false): TextView | undefined {
  const { codes, starts, ends, length } = view;
  const writer = new ViewWriter(length);
  // Bytes that are not UTF-8 are read as Latin 1.
  const bytes = new Utf8(writer, (byte, start, end) => writer.put(byte, start, end));
  let found = false;
  for (let at = 0; at < length; ) {
    const code = codes[at] ?? 0;
    const here = escapeAt(codes, at, length, isForm);
    const [start, end] = [starts[at] ?? 0, ends[at + (here?.length ?? 1) - 1] ?? 0];
    if (here?.byte !== undefined) bytes.byte(here.byte, start, end);
    else {
      bytes.flush();
      if (here === undefined) writer.put(code, start, end);
      else for (const point of here.points) writer.putCodePoint(point, start, end);
    }
    if (here !== undefined) found = true;
    at += here?.length ?? 1;
  }
  bytes.flush();
  return found ? writer.view() : undefined;
}

/** A view without its line breaks and the blanks around them, if a line break may split an escape; otherwise undefined. */
export function joinLines(view: TextView): TextView | undefined {
  const { codes, starts, ends, length } = view;
  const writer = new ViewWriter(length);
  let isTorn = false;
  for (let at = 0; at < length; at += 1) {
    const code = codes[at] ?? 0;
    if (!isDropped(code) || code === BACKSLASH) {
      writer.put(code, starts[at] ?? 0, ends[at] ?? 0);
      continue;
    }
    const from = at;
    while (at + 1 < length && codes[at + 1] !== BACKSLASH && isDropped(codes[at + 1] ?? 0)) at += 1;
    const space = codes.subarray(from, at + 1);
    if (!space.includes(LINE_FEED) && !space.includes(CARRIAGE_RETURN)) {
      for (let blank = from; blank <= at; blank += 1)
        writer.put(codes[blank] ?? 0, starts[blank] ?? 0, ends[blank] ?? 0);
    } else
      isTorn ||= codes
        .subarray(Math.max(0, from - LONGEST_ESCAPE), from)
        .some((before) => BEGINNINGS.has(before));
  }
  return isTorn ? writer.view() : undefined;
}

interface Escape {
  /** The length of the escape in code units. */
  readonly length: number;
  readonly points: readonly number[];
  /** A byte of UTF-8, instead of points. */
  readonly byte?: number;
}

function escapeAt(codes: Uint16Array, at: number, length: number, isForm: boolean): Escape | undefined {
  const code = codes[at];
  if (code === PERCENT) return byteAt(codes, at + 1, 3);
  if (code === AMPERSAND) return entityAt(codes, at, length);
  if (code === PLUS && isForm) return { length: 1, points: [BLANK] };
  return code === BACKSLASH && at + 1 < length ? backslashEscapeAt(codes, at) : undefined;
}

function backslashEscapeAt(codes: Uint16Array, at: number): Escape {
  const letter = codes[at + 1] ?? 0;
  if (letter === SMALL_X) return byteAt(codes, at + 2, 4) ?? { length: 2, points: [letter] };
  if (letter === SMALL_U || letter === BIG_U) {
    const braced = codes[at + 2] === OPENING ? bracedEscapeAt(codes, at + 3) : undefined;
    if (braced !== undefined) return braced;
    const digits = letter === SMALL_U ? 4 : 8;
    const point = hexAt(codes, at + 2, digits);
    if (point !== undefined && point <= 0x10ffff) return { length: 2 + digits, points: [point] };
  }
  return { length: 2, points: [CONTROLS.get(letter) ?? letter] };
}

/** `\u{…}`, from the position after its opening brace. */
function bracedEscapeAt(codes: Uint16Array, from: number): Escape | undefined {
  let point = 0;
  for (let at = from; at < from + 7; at += 1) {
    if (codes[at] === CLOSING && at > from)
      return point <= 0x10ffff ? { length: at - from + 4, points: [point] } : undefined;
    const digit = hexDigit(codes[at]);
    if (digit < 0) return undefined;
    point = point * 16 + digit;
  }
  return undefined;
}

function byteAt(codes: Uint16Array, from: number, length: number): Escape | undefined {
  const byte = hexAt(codes, from, 2);
  return byte === undefined ? undefined : { length, points: [], byte };
}

function hexAt(codes: Uint16Array, from: number, digits: number): number | undefined {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const digit = hexDigit(codes[at]);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

const [PERCENT, AMPERSAND, PLUS, BACKSLASH, BLANK] = [0x25, 0x26, 0x2b, 0x5c, 0x20];
const [SMALL_U, BIG_U, SMALL_X, OPENING, CLOSING] = [0x75, 0x55, 0x78, 0x7b, 0x7d];

const BEGINNINGS = new Set([PERCENT, AMPERSAND, BACKSLASH]);
const LONGEST_ESCAPE = 12;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** The code points of the letters after a backslash: `\n` is a line feed. */
const CONTROLS = new Map(
  Object.entries({ "0": 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 }).map(([letter, point]) => [
    letter.charCodeAt(0),
    point,
  ]),
);
