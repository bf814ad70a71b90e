import { Utf8 } from "./utf8";
import { GAP, hexDigit, isDropped, type TextView, ViewWriter } from "./view";

/** An encoding of text as digits: the bits per digit, and how many digits make complete bytes. */
interface Digits {
  readonly bits: number;
  readonly group: number;
  value(code: number): number;
}

const BASE64: Digits = { bits: 6, group: 4, value: sextet };
const HEX: Digits = { bits: 4, group: 2, value: hexDigit };

/** The minimum length of a run of digits to decode, and of the text that it decodes to. */
export interface Shortest {
  readonly base64: number;
  readonly hex: number;
  readonly text: number;
}

/**
 * Decodes the runs of base64 and hexadecimal digits in a view, at each alignment, because words before a run may look like a
 * part of it. Ignores white space in a run. Omits bytes that are not UTF-8.
 */
export function decodings(view: TextView, shortest: Shortest): TextView[] {
  return [
    ...decodedRuns(view, BASE64, shortest.base64, shortest.text),
    ...decodedRuns(view, HEX, shortest.hex, shortest.text),
  ].filter(({ length }) => length > 0);
}

function decodedRuns(view: TextView, digits: Digits, shortestRun: number, shortestText: number): TextView[] {
  const runs = runsIn(view, digits, shortestRun);
  if (runs.length === 0) return [];
  const capacity = runs.reduce((sum, run) => sum + run.length, 0);
  return Array.from({ length: digits.group }, (_, alignment) => {
    const writer = new PieceWriter(capacity, shortestText);
    for (const run of runs) decode(view, run, digits, alignment, writer);
    return writer.view();
  });
}

/** The positions of the digits of each run that is long enough. */
function runsIn({ codes, length }: TextView, { value }: Digits, shortest: number): Int32Array[] {
  const runs: Int32Array[] = [];
  const places = new Int32Array(length);
  let from = 0;
  let to = 0;
  for (let at = 0; at <= length; at += 1) {
    const code = codes[at] ?? GAP;
    if (code !== GAP && value(code) >= 0) {
      places[to] = at;
      to += 1;
    } else if (!isDropped(code)) {
      // Base64 padding counts as part of the run, but encodes nothing.
      const padding = code === EQUALS ? (codes[at + 1] === EQUALS ? 2 : 1) : 0;
      if (to - from + padding >= shortest) {
        runs.push(places.subarray(from, to));
        from = to;
      } else to = from;
    }
  }
  return runs;
}

function decode(
  { codes, starts, ends }: TextView,
  run: Int32Array,
  { bits, value }: Digits,
  alignment: number,
  writer: PieceWriter,
): void {
  let held = 0;
  let width = 0;
  let start = 0;
  for (let index = alignment; index < run.length; index += 1) {
    const at = run[index] ?? 0;
    if (width === 0) start = starts[at] ?? 0;
    held = (held << bits) | value(codes[at] ?? 0);
    width += bits;
    if (width < 8) continue;
    width -= 8;
    writer.byte((held >> width) & 0xff, start, ends[at] ?? 0);
    held &= (1 << width) - 1;
    start = starts[at] ?? 0;
  }
  writer.gap();
}

/** Writes the pieces of UTF-8 that are long enough, with gaps between them. */
class PieceWriter {
  readonly #writer: ViewWriter;
  readonly #bytes: Utf8;
  #piece = 0;

  constructor(
    capacity: number,
    private readonly shortest: number,
  ) {
    this.#writer = new ViewWriter(capacity + 1);
    this.#bytes = new Utf8(this.#writer, () => this.#end());
  }

  byte(byte: number, start: number, end: number): void {
    this.#bytes.byte(byte, start, end);
  }

  gap(): void {
    this.#bytes.flush();
    this.#end();
  }

  view(): TextView {
    return this.#writer.view();
  }

  #end(): void {
    if (this.#writer.length - this.#piece < this.shortest) this.#writer.cut(this.#piece);
    else if (this.#writer.length > this.#piece) this.#writer.put(GAP, 0, 0);
    this.#piece = this.#writer.length;
  }
}

/** The value of a base64 digit, in either alphabet; -1 for any other code unit. */
function sextet(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}

const EQUALS = 0x3d;
