/**
 * A YAML file as its lines, as far as that is enough to put something into it: block mappings in block mappings, whatever
 * stands elsewhere. Comments, order and line ends stay as they are, because no line is written anew.
 */

/** A key of a block mapping, and the lines that are its value. */
export interface Entry {
  readonly key: string;
  /** What stands beside the key, without a comment. */
  readonly beside: string;
  /** The number of the key's own line. */
  readonly at: number;
  /** The line after the last one of its value; blank lines and comments after that are nobody's. */
  readonly end: number;
  readonly indent: number;
}

/** Why a file is not one to put something into. */
export class Unreadable extends Error {}

const KEY = /^( *)("[^"]*"|'[^']*'|[A-Za-z_][^\s#'"]*?):(?:[ \t]+(.*))?$/;

/** The entries of the mapping on these lines; all of a file's where none are said. */
export function entriesIn(lines: readonly string[], from = 0, to = lines.length): Entry[] {
  const entries: Entry[] = [];
  let indent: number | undefined;
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    if (isNothing(line) || (at === 0 && /^\uFEFF?---\s*$/.test(line))) continue;
    if (/^ *\t/.test(line)) throw new Unreadable(`line ${at + 1} is indented by a tab`);
    const depth = depthOf(line);
    indent ??= depth;
    const last = entries.at(-1);
    // A list may stand as deep as the key that it belongs to.
    if (depth > indent || (depth === indent && last?.beside === "" && /^ *-(\s|$)/.test(line))) {
      if (last === undefined) throw new Unreadable(`line ${at + 1} belongs to no key`);
      entries[entries.length - 1] = { ...last, end: at + 1 };
      continue;
    }
    const [, , key, beside = ""] = KEY.exec(line) ?? [];
    if (depth < indent || key === undefined) throw new Unreadable(`line ${at + 1} is no key and its value`);
    entries.push({ key: plain(key), beside: withoutComment(beside), at, end: at + 1, indent });
  }
  const names = entries.map(({ key }) => key);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Unreadable(`${twice} stands in it twice`);
  return entries;
}

/** The entries inside another one, whose value must be a block mapping, or nothing. */
export function inside(lines: readonly string[], entry: Entry): Entry[] {
  if (entry.beside !== "") throw new Unreadable(`what ${entry.key} holds stands beside it`);
  return entriesIn(lines, entry.at + 1, entry.end);
}

/** The items of a block list, each with its lines; the first one is read as if it stood on a line of its own. */
export function itemsIn(lines: readonly string[], entry: Entry): Entry[][] {
  if (entry.beside !== "") throw new Unreadable(`what ${entry.key} holds stands beside it`);
  const own = lines.map((line) =>
    line.replace(/^( *)-( +)(?=\S)/, (_, before, after) => `${before} ${after}`),
  );
  const starts = numbers(entry.at + 1, entry.end).filter((at) => isItem(lines, entry, at));
  const first = numbers(entry.at + 1, entry.end).find((at) => !isNothing(lines[at] ?? ""));
  if (first !== starts[0]) throw new Unreadable(`what ${entry.key} holds is no list`);
  return starts.map((at, index) => entriesIn(own, at, starts[index + 1] ?? entry.end));
}

/** How deep the items of a list stand; undefined where it has none. */
export function depthOfItems(lines: readonly string[], entry: Entry): number | undefined {
  const first = numbers(entry.at + 1, entry.end).find((at) => !isNothing(lines[at] ?? ""));
  return first === undefined ? undefined : depthOf(lines[first] ?? "");
}

function isItem(lines: readonly string[], entry: Entry, at: number): boolean {
  const line = lines[at] ?? "";
  return /^ *- +\S/.test(line) && depthOf(line) === depthOfItems(lines, entry);
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A blank line, or one with a comment alone. */
function isNothing(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

/** A value as it stands beside its key, without quotes around all of it. */
export function plain(text: string): string {
  return /^"[^"\\]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
}

function withoutComment(text: string): string {
  const quoted = /^("[^"]*"|'[^']*')\s*(#.*)?$/.exec(text.trim());
  return quoted?.[1] ?? text.replace(/(^|\s)#.*$/, "").trim();
}
