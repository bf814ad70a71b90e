import { isObject, type Json } from "./json";
import { memoByObject } from "./memo";
import type { Value } from "./unknown";

/**
 * A path into a value. A segment is a member's name, an element's index, or an element's key. The key of an element of a
 * keyed list starts with {@link KEY}, so that it never collides with a member of the same name.
 */
export type Path = readonly (string | number)[];

/** Marks a segment as the key of an element of a keyed list. */
export const KEY = "\u0001";

/** Marks a segment as the index of an element that only the server's list has, for messages. */
export const ONLY_THERE = "\u0002";

/** A path with `*` for any one segment and a leading `**` for any depth: `TaskGroups.*.Count`, `**.Hash`. */
export type Pattern = string;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Formats a path for readers: `spec.TaskGroups["web"].Count`, `vcsRepo.branch`, `tags[2]`, `routes[+0]`. */
export function formatPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (segment.startsWith(KEY)) text += `[${JSON.stringify(segment.slice(KEY.length))}]`;
    else if (segment.startsWith(ONLY_THERE)) text += `[+${segment.slice(ONLY_THERE.length)}]`;
    else if (IDENTIFIER.test(segment)) text += text === "" ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** Parses a formatted path, or the engine's property path; `[*]` is the segment `*`. */
export function parsePath(text: string): (string | number)[] {
  return [...text.matchAll(/\[(\d+)\]|\[\*\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/gs)].map(
    ([whole, index, quoted, name]) => {
      if (index !== undefined) return Number(index);
      if (quoted !== undefined) return unquote(quoted);
      return whole === "[*]" ? "*" : (name ?? "");
    },
  );
}

/** Unescapes a quoted key. {@link formatPath} writes it as JSON; the engine escapes only quotation marks. */
function unquote(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text.replaceAll('\\"', '"');
  }
}

/** True if a formatted path equals another path or is inside it. */
export function isWithinPath(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

/** The value at a path; undefined if the path does not exist. Reads only own members: a user's key may be `constructor`. */
export function valueAt(value: Readonly<Record<string, Json | undefined>>, path: Path): Json | undefined;
export function valueAt(value: Readonly<Record<string, Value | undefined>>, path: Path): Value | undefined;
export function valueAt(value: unknown, path: Path): unknown;
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, segment) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, segment)
        ? (at as Record<string | number, unknown>)[segment]
        : undefined,
    value,
  );
}

/** A copy of a value with a different part at an existing path; undefined removes the part. Inputs keep their metadata. */
export function withPartAt<V>(value: V, path: Path, part: unknown): V {
  // The value keeps its type: only one part differs.
  return replaceAt(value, path, part) as V;
}

function replaceAt(value: unknown, [segment, ...rest]: Path, part: unknown): unknown {
  if (segment === undefined) return part;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return value;
  if (Array.isArray(value)) {
    const own = value.map((one: unknown, index) => (index === segment ? replaceAt(one, rest, part) : one));
    return own.filter((one) => one !== undefined);
  }
  const own = value as Readonly<Record<string | number, unknown>>;
  const now = replaceAt(own[segment], rest, part);
  if (now !== undefined) return { ...own, [segment]: now };
  const { [segment]: _, ...others } = own;
  return others;
}

/** A copy of an object with a member at a path. It adds the objects on the path; undefined removes the member. */
export function withMemberAt<M extends Readonly<Record<string, Value | undefined>>>(
  object: M,
  [segment = "", ...rest]: Path,
  to: Value | undefined,
): M {
  const { [segment]: own, ...others }: Readonly<Record<string, Value | undefined>> = object;
  const member = rest.length === 0 ? to : withMemberAt(isObject(own) ? own : {}, rest, to);
  // The object keeps its type: the value is one of its own type.
  return (member === undefined ? others : { ...object, [segment]: member }) as M;
}

/** True if a pattern matches this path, or with `orInside` a path above it. */
export function matches(pattern: Pattern, path: Path, orInside = false): boolean {
  const parts = partsOf(pattern);
  if (parts[0] !== "**") {
    return (orInside ? path.length >= parts.length : path.length === parts.length) && fits(parts, 0, path, 0);
  }
  const length = parts.length - 1;
  if (!orInside) return path.length >= length && fits(parts, 1, path, path.length - length);
  for (let start = 0; start + length <= path.length; start++) if (fits(parts, 1, path, start)) return true;
  return false;
}

/** Compares from the end, because most paths differ there. */
function fits(parts: readonly string[], from: number, path: Path, start: number): boolean {
  for (let index = parts.length - 1; index >= from; index--) {
    const part = parts[index];
    const segment = path[start + index - from];
    if (part !== "*" && part !== segment && part !== String(segment)) return false;
  }
  return true;
}

const split = new Map<Pattern, readonly string[]>();

/** Splits each pattern once: definitions contain few patterns and match them often. */
function partsOf(pattern: Pattern): readonly string[] {
  const parts = split.get(pattern) ?? pattern.split(".");
  split.set(pattern, parts);
  return parts;
}

/** The entry of the first pattern in a table that matches this path. */
export function lookUp<T>(table: Readonly<Record<Pattern, T>> | undefined, path: Path): T | undefined {
  if (table === undefined) return undefined;
  const found = candidatesIn(table, path).find((pattern) => matches(pattern, path));
  return found === undefined ? undefined : table[found];
}

/** True if one of these patterns matches this path. */
export function isNamed(patterns: readonly Pattern[] | undefined, path: Path): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  return candidatesIn(patterns, path).some((pattern) => matches(pattern, path));
}

/** The same, but case-insensitive. */
export function isNamedInAnyCase(patterns: readonly Pattern[] | undefined, path: Path): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  // Most paths end in a name that no pattern ends in. Only the other paths are compared completely.
  return candidatesIn(inLowerCase(patterns), path.slice(-1).map(toLower)).some((pattern) =>
    matches(pattern, path.map(toLower)),
  );
}

const toLower = (segment: string | number) => (typeof segment === "string" ? segment.toLowerCase() : segment);
const inLowerCase = memoByObject((patterns: readonly Pattern[]) =>
  patterns.map((pattern) => pattern.toLowerCase()),
);

/** A list of patterns, or a table by pattern. */
type Patterns = readonly Pattern[] | Readonly<Record<Pattern, unknown>>;

/** Patterns by their last segment. Each entry also contains the patterns that end in `*`, and `any` contains only those. */
interface ByLastSegment {
  readonly named: ReadonlyMap<string, readonly Pattern[]>;
  readonly any: readonly Pattern[];
}

const byLastSegment = memoByObject((patterns: Patterns): ByLastSegment => {
  const index = new Map<string, readonly Pattern[]>();
  for (const pattern of Array.isArray(patterns) ? patterns : Object.keys(patterns)) {
    const last = partsOf(pattern).at(-1) ?? "";
    index.set(last, [...(index.get(last) ?? []), pattern]);
  }
  const any = index.get("*") ?? [];
  for (const [last, named] of index) if (last !== "*") index.set(last, [...named, ...any]);
  return { named: index, any };
});

/** The patterns that may end like the path. Most paths end in a name that no pattern ends in. */
function candidatesIn(patterns: Patterns, path: Path): readonly Pattern[] {
  const { named, any } = byLastSegment(patterns);
  return named.get(String(path.at(-1))) ?? any;
}
