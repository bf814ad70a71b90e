import { parse } from "yaml";
import { isShownList, isShownMap, type Shown } from "./values";

/** Quotes a string, with unprintable characters escaped like in Go. */
export function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
  "\x07": "\\a",
};

function escapeText(text: string): string {
  return text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hexadecimal = code.toString(16);
    if (ESCAPES[character] !== undefined) return ESCAPES[character];
    if (code < 0x80) return `\\x${hexadecimal.padStart(2, "0")}`;
    return code > 0xffff ? `\\U${hexadecimal.padStart(8, "0")}` : `\\u${hexadecimal.padStart(4, "0")}`;
  });
}

const LINES = 3;
const LENGTH = 150;

/** The first lines of a long string. */
export function truncate(text: string): string {
  const lines = text.split("\n");
  const first = lines
    .slice(0, LINES)
    .map((line) => (line.length > LENGTH ? `${line.slice(0, LENGTH)}...` : line));
  return [...first, ...(lines.length > LINES ? ["..."] : [])].join("\n");
}

/** The list or map in a string, and its notation. */
export function decode(
  text: string,
): { readonly value: Shown; readonly notation: "json" | "yaml" } | undefined {
  const attempt = (read: (text: string) => Shown, notation: "json" | "yaml") => {
    try {
      const value = read(text.trim());
      return isShownList(value) || isShownMap(value) ? { value, notation } : undefined;
    } catch {
      // A plain string.
      return undefined;
    }
  };
  // A single line is too easily valid YAML by accident.
  return attempt(JSON.parse, "json") ?? (/[\r\n]/.test(text.trim()) ? attempt(parse, "yaml") : undefined);
}

/** Consecutive lines that are in both texts, or in only one of them. */
export interface Hunk {
  readonly kind: "same" | "delete" | "add";
  readonly lines: readonly string[];
}

/** A line-by-line diff with as many unchanged lines as possible. */
export function diffLines(old: string, now: string): Hunk[] {
  const [left, right] = [old.split("\n"), now.split("\n")];
  const kept = longestCommon(left, right);
  const hunks: { kind: Hunk["kind"]; lines: string[] }[] = [];
  const add = (kind: Hunk["kind"], lines: string[]) => {
    if (lines.length === 0) return;
    const last = hunks.at(-1);
    if (last?.kind === kind) last.lines.push(...lines);
    else hunks.push({ kind, lines });
  };
  let [l, r] = [0, 0];
  for (const [atLeft, atRight] of [...kept, [left.length, right.length] as const]) {
    add("delete", left.slice(l, atLeft));
    add("add", right.slice(r, atRight));
    add("same", left.slice(atLeft, atLeft + 1));
    [l, r] = [atLeft + 1, atRight + 1];
  }
  return hunks;
}

/** The positions of a longest common subsequence of lines. */
function longestCommon(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (l: number, r: number) => lengths[l]?.[r] ?? 0;
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      const row = lengths[l];
      if (row) row[r] = left[l] === right[r] ? at(l + 1, r + 1) + 1 : Math.max(at(l + 1, r), at(l, r + 1));
    }
  }
  const places: (readonly [number, number])[] = [];
  for (let [l, r] = [0, 0]; l < left.length && r < right.length; ) {
    if (left[l] === right[r]) places.push([l++, r++]);
    else if (at(l + 1, r) >= at(l, r + 1)) l++;
    else r++;
  }
  return places;
}
