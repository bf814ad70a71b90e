/**
 * Edits a YAML file by its lines. It only understands nested block mappings, which is enough to insert an entry. Comments,
 * order and line endings are preserved, because existing lines are not rewritten.
 */

/** A key of a block mapping, and the lines of its value. */
export interface YamlEntry {
  readonly key: string;
  /** The text after the key on its line, without a comment. */
  readonly inline: string;
  /** The line number of the key. */
  readonly at: number;
  /** The line after the last line of its value; later blank lines and comments belong to no entry. */
  readonly end: number;
  readonly indent: number;
}

/** The reason to not edit a file. */
export class Unreadable extends Error {}

const KEY = /^( *)("[^"]*"|'[^']*'|[A-Za-z_](?:[^\s#'":]|:(?=\S))*):(?:[ \t](.*))?$/;

/** The entries of the mapping on these lines. Default: the entries of the complete file. */
export function yamlEntries(lines: readonly string[], from = 0, to = lines.length): YamlEntry[] {
  const entries: YamlEntry[] = [];
  let indent: number | undefined;
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    if (isNothing(line) || (at === 0 && /^\uFEFF?---\s*$/.test(line))) continue;
    if (/^ *\t/.test(line)) throw new Unreadable(`line ${at + 1} is indented with a tab`);
    const depth = depthOf(line);
    indent ??= depth;
    const last = entries.at(-1);
    // A list may have the same indentation as its key.
    if (depth > indent || (depth === indent && last?.inline === "" && /^ *-(\s|$)/.test(line))) {
      if (last === undefined) throw new Unreadable(`line ${at + 1} belongs to no key`);
      entries[entries.length - 1] = { ...last, end: at + 1 };
      continue;
    }
    const [, , key, inline = ""] = KEY.exec(line) ?? [];
    if (depth < indent || key === undefined) throw new Unreadable(`line ${at + 1} is not a key with a value`);
    entries.push({ key: plain(key), inline: withoutComment(inline), at, end: at + 1, indent });
  }
  const names = entries.map(({ key }) => key);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Unreadable(`the key ${twice} occurs twice`);
  return entries;
}

/** The entries inside an entry, whose value must be a block mapping or empty. */
export function inside(lines: readonly string[], entry: YamlEntry): YamlEntry[] {
  if (entry.inline !== "")
    throw new Unreadable(
      `line ${entry.at + 1} contains ${entry.key} and its value: write the value on the lines below the key`,
    );
  return yamlEntries(lines, entry.at + 1, entry.end);
}

/** The items of a block list, each as the entries on its lines. The first entry is read as if it were on its own line. */
export function itemsIn(lines: readonly string[], entry: YamlEntry): YamlEntry[][] {
  if (entry.inline !== "")
    throw new Unreadable(
      `line ${entry.at + 1} contains ${entry.key} and its value: write the value on the lines below the key`,
    );
  const own = lines.map((line) =>
    line.replace(/^( *)-( +)(?=\S)/, (_, before, after) => `${before} ${after}`),
  );
  const starts = numbers(entry.at + 1, entry.end).filter((at) => isItem(lines, entry, at));
  const first = numbers(entry.at + 1, entry.end).find((at) => !isNothing(lines[at] ?? ""));
  if (first !== starts[0]) throw new Unreadable(`the value of ${entry.key} is not a list`);
  return starts.map((at, index) => yamlEntries(own, at, starts[index + 1] ?? entry.end));
}

/** The indentation of a list's items; undefined if the list is empty. */
export function depthOfItems(lines: readonly string[], entry: YamlEntry): number | undefined {
  const first = numbers(entry.at + 1, entry.end).find((at) => !isNothing(lines[at] ?? ""));
  return first === undefined ? undefined : depthOf(lines[first] ?? "");
}

function isItem(lines: readonly string[], entry: YamlEntry, at: number): boolean {
  const line = lines[at] ?? "";
  return /^ *- +\S/.test(line) && depthOf(line) === depthOfItems(lines, entry);
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** True for a blank line, or a line with only a comment. */
function isNothing(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

/** A value without the quotes around it. */
export function plain(text: string): string {
  return /^"[^"\\]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
}

function withoutComment(text: string): string {
  const quoted = /^("[^"]*"|'[^']*')\s*(#.*)?$/.exec(text.trim());
  if (quoted?.[1] !== undefined) return quoted[1];
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}
