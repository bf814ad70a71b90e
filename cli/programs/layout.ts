/** A part of a program's text: a word that stays on one line, or a bracket whose items may be on separate lines. */
export type Piece = string | Bracket;

export interface Bracket {
  readonly open: string;
  readonly items: readonly { readonly key: string; readonly value: Piece }[];
  readonly close: string;
  /** Padding inside the brackets if everything fits on one line. */
  readonly pad: string;
  /** True if a nonempty bracket always spans several lines. */
  readonly isTall?: boolean;
  /** True if the values of consecutive lines are aligned. */
  readonly isAligned?: boolean;
}

const WIDTH = 100;

/**
 * Lays a piece out on one line if it fits, otherwise with one item per line.
 * @param before the text in front of it on its first line
 * @param indent the indentation of its further lines
 * @param step the additional indentation per level
 */
export function formatPiece(piece: Piece, before: string, indent: string, step: string): string {
  const flat = onOneLine(piece);
  if (typeof piece === "string") return piece;
  if (flat !== undefined && (piece.items.length === 0 || before.length + flat.length <= WIDTH)) return flat;
  const inner = indent + step;
  const written = piece.items.map(({ key, value }) => formatPiece(value, inner + key, inner, step));
  const keys = piece.isAligned ? alignKeys(piece, written) : piece.items.map(({ key }) => key);
  const lines = written.map((text, index) => `${inner}${keys[index]}${text},\n`);
  return `${piece.open}\n${lines.join("")}${indent}${piece.close}`;
}

/** The piece on one line; undefined if it needs several lines. */
function onOneLine(piece: Piece): string | undefined {
  if (typeof piece === "string") return piece.includes("\n") ? undefined : piece;
  if (piece.items.length === 0) return piece.open + piece.close;
  if (piece.isTall) return undefined;
  const items = piece.items.map(({ key, value }) => {
    const text = onOneLine(value);
    return text === undefined ? undefined : key + text;
  });
  if (items.includes(undefined)) return undefined;
  return `${piece.open}${piece.pad}${items.join(", ")}${piece.pad}${piece.close}`;
}

/**
 * The keys of a bracket, padded to the longest key of their run. An item that spans several lines ends a run and is not
 * padded.
 */
function alignKeys({ items }: Bracket, written: readonly string[]): string[] {
  const isTall = (index: number) => written[index]?.includes("\n") ?? true;
  return items.map(({ key }, index) => {
    if (isTall(index)) return key;
    let [first, last] = [index, index];
    while (first > 0 && !isTall(first - 1)) first--;
    while (last < items.length - 1 && !isTall(last + 1)) last++;
    const longest = Math.max(...items.slice(first, last + 1).map((item) => item.key.length));
    return key.padEnd(longest);
  });
}
