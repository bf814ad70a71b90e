import type { Json } from "./json";
import { memoByObject } from "./memo";
import type { Value } from "./unknown";

/**
 * Paths into values. A segment is a member's name, an element's number, or an element's key: the key of an
 * element of a keyed list starts with {@link KEY} so that it never meets a member of the same name.
 */
export type Path = readonly (string | number)[];

/** Marks a segment as the key of an element of a keyed list. */
export const KEY = "\u0001";

/** Marks a segment as the number of an element that only the service's list has, as people are told of it. */
export const ONLY_THERE = "\u0002";

/**
 * A path with `*` for any one segment and a leading `**` for any depth: `TaskGroups.*.Count`, `**.Hash`.
 */
export type Pattern = string;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Writes a path as a reader expects it: `spec.TaskGroups["web"].Count`, `vcsRepo.branch`, `tags[2]`, `routes[+0]`. */
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

/** Whether a formatted path is another one, or leads on from it. */
export function isWithinPath(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

/** The value at a path; undefined where there is none. Only own members count: a user's key may be `constructor`. */
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

/** A value with another part at a path that is there; undefined takes it out. What goes along with inputs stays with them. */
export function withPartAt<V>(value: V, path: Path, part: unknown): V {
  // The whole stays of its type: only the part is another.
  return replacedAt(value, path, part) as V;
}

function replacedAt(value: unknown, [segment, ...rest]: Path, part: unknown): unknown {
  if (segment === undefined) return part;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return value;
  if (Array.isArray(value)) {
    const own = value.map((one: unknown, index) => (index === segment ? replacedAt(one, rest, part) : one));
    return own.filter((one) => one !== undefined);
  }
  const own = value as Readonly<Record<string | number, unknown>>;
  const now = replacedAt(own[segment], rest, part);
  if (now !== undefined) return { ...own, [segment]: now };
  const { [segment]: _, ...others } = own;
  return others;
}

/** Whether a pattern names this path, or with `orInside` a path above it. */
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

/** Compares from the end, where most paths differ. */
function fits(parts: readonly string[], from: number, path: Path, start: number): boolean {
  for (let index = parts.length - 1; index >= from; index--) {
    const part = parts[index];
    const segment = path[start + index - from];
    if (part !== "*" && part !== segment && part !== String(segment)) return false;
  }
  return true;
}

const split = new Map<Pattern, readonly string[]>();

/** Definitions name few patterns and match them often, so each is split once. */
function partsOf(pattern: Pattern): readonly string[] {
  const parts = split.get(pattern) ?? pattern.split(".");
  split.set(pattern, parts);
  return parts;
}

/** The first pattern of a table that names this path. */
export function lookUp<T>(table: Readonly<Record<Pattern, T>> | undefined, path: Path): T | undefined {
  if (table === undefined) return undefined;
  const found = candidatesIn(table, path).find((pattern) => matches(pattern, path));
  return found === undefined ? undefined : table[found];
}

/** Whether one of these patterns names this path. */
export function isNamed(patterns: readonly Pattern[] | undefined, path: Path): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  return candidatesIn(patterns, path).some((pattern) => matches(pattern, path));
}

/** The same whatever the case of the path's names. */
export function isNamedInAnyCase(patterns: readonly Pattern[] | undefined, path: Path): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  // Most paths end in a name of which no pattern speaks: only the others are looked at as a whole.
  return candidatesIn(inLowerCase(patterns), path.slice(-1).map(lowered)).some((pattern) =>
    matches(pattern, path.map(lowered)),
  );
}

const lowered = (segment: string | number) => (typeof segment === "string" ? segment.toLowerCase() : segment);
const inLowerCase = memoByObject((patterns: readonly Pattern[]) =>
  patterns.map((pattern) => pattern.toLowerCase()),
);

/** A list of patterns, or a table by pattern. */
type Patterns = readonly Pattern[] | Readonly<Record<Pattern, unknown>>;

/** Patterns by their last segments, those that end in any segment among each of them; and those alone. */
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

/** The patterns that end as the path does: most paths end in a name of which no pattern speaks. */
function candidatesIn(patterns: Patterns, path: Path): readonly Pattern[] {
  const { named, any } = byLastSegment(patterns);
  return named.get(String(path.at(-1))) ?? any;
}
