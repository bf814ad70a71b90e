/** A piece of a program's text: a word that stays on its line, or a bracket, whose items may each stand on a line. */
export type Piece = string | Bracket;

export interface Bracket {
  readonly open: string;
  readonly items: readonly { readonly key: string; readonly value: Piece }[];
  readonly close: string;
  /** Put beside the brackets where all of it stands on one line. */
  readonly pad: string;
  /** It never stands on one line, unless it is empty. */
  readonly isTall?: boolean;
  /** The values of lines that follow each other stand below each other. */
  readonly isAligned?: boolean;
}

const WIDTH = 100;

/**
 * Lays a piece out: on one line where it fits, else an item a line.
 * @param before what stands on its first line in front of it
 * @param indent what its further lines begin with
 * @param step what each level adds to that
 */
export function laidOut(piece: Piece, before: string, indent: string, step: string): string {
  const flat = onOneLine(piece);
  if (typeof piece === "string") return piece;
  if (flat !== undefined && (piece.items.length === 0 || before.length + flat.length <= WIDTH)) return flat;
  const inner = indent + step;
  const written = piece.items.map(({ key, value }) => laidOut(value, inner + key, inner, step));
  const keys = piece.isAligned ? aligned(piece, written) : piece.items.map(({ key }) => key);
  const lines = written.map((text, index) => `${inner}${keys[index]}${text},\n`);
  return `${piece.open}\n${lines.join("")}${indent}${piece.close}`;
}

/** Undefined where it cannot stand on one line. */
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

/** The keys of a bracket, each as long as the others of its run; what takes several lines ends a run, and is in none. */
function aligned({ items }: Bracket, written: readonly string[]): string[] {
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
