import type { DocumentFacts } from "../language/facts";
import { isObject, type Json, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import { isNamed, KEY, lookUp, type Path, type Pattern } from "../value/path";
import { wordIn } from "../value/scalar";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";
import { countsWhenEmpty, isEntry } from "./entries";

/**
 * Converts a document to the canonical form that comparisons use. It makes spellings canonical and puts the elements of
 * keyed lists under their keys. It removes the service's own members, members with the same meaning as their absence, and
 * null or empty members (services return an empty list as null, or not at all). Blocks and entries under user-defined keys
 * stay even if they are empty. A document already in this form does not change.
 */
export function canonicalDocument(
  value: Json | undefined,
  facts: DocumentFacts,
  excluded?: readonly Pattern[],
): Json | undefined;
export function canonicalDocument(
  value: Value | undefined,
  facts: DocumentFacts,
  excluded?: readonly Pattern[],
): Value | undefined;
export function canonicalDocument(
  value: Value | undefined,
  facts: DocumentFacts,
  excluded: readonly Pattern[] = [],
): Value | undefined {
  if (excluded.length > 0 || !isObject(value)) return canonical(value, [], facts, excluded);
  return canonicalBy(facts)(value);
}

/** A step compares the same documents again and again. */
const canonicalBy = memoByObject((facts: DocumentFacts) =>
  memoByObject((value: { [key: string]: Value }) => canonical(value, [], facts, [])),
);

function canonical(
  value: Value | undefined,
  path: Path,
  facts: DocumentFacts,
  excluded: readonly Pattern[],
): Value | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === UNKNOWN) return UNKNOWN;
  if (path.length > 0 && isNamed(facts.serverOwned, path)) return undefined;
  if (path.length > 0 && isNamed(excluded, path)) return undefined;
  const spelling = lookUp(facts.spellings, path);
  const plain = spelling === undefined || !isKnown(value) ? value : spelling.canonical(value);
  if (Array.isArray(plain)) return canonicalList(plain, path, facts, excluded);
  if (isObject(plain)) return canonicalObject(plain, path, facts, excluded);
  return saysNothing(plain, path, facts) ? undefined : (plain ?? undefined);
}

/** True if a value at this path means the same as leaving it out. */
export function saysNothing(value: Value, path: Path, { empties, leftOut }: DocumentFacts): boolean {
  if (value === "" || value === false || value === 0) return isNamed(empties, path);
  return leftOut !== undefined && lookUp(leftOut, path) === value;
}

function canonicalObject(
  value: { [key: string]: Value },
  path: Path,
  facts: DocumentFacts,
  excluded: readonly Pattern[],
): Value | undefined {
  const members: [string, Value][] = [];
  for (const key of Object.keys(value)) {
    // Canonical documents must not change: an element of a keyed list exists even if it is empty.
    const nothing = key.startsWith(KEY) ? {} : undefined;
    const member = canonical(value[key], [...path, key], facts, excluded) ?? nothing;
    if (member !== undefined) members.push([key, member]);
  }
  const isNothing = members.length === 0 && !countsWhenEmpty(facts, path);
  return isNothing ? undefined : Object.fromEntries(members);
}

function canonicalList(
  value: readonly Value[],
  path: Path,
  facts: DocumentFacts,
  excluded: readonly Pattern[],
): Value | undefined {
  if (value.length === 0) return isEntry(facts, path) ? [] : undefined;
  const keys = keysOf(value, path, facts);
  if (keys === undefined) {
    const elements = value.map(
      (element, index) => canonical(element, [...path, index], facts, excluded) ?? null,
    );
    return isNamed(facts.unordered, path) ? sorted(elements) : elements;
  }
  const elements: { [key: string]: Value } = {};
  for (const [index, element] of value.entries()) {
    const key = KEY + keys[index];
    elements[key] = canonical(element, [...path, key], facts, excluded) ?? {};
  }
  return elements;
}

/**
 * The keys of a list's elements. Undefined if an element has no key or two elements share one, so that the list is compared
 * by position. A default that the service is known to add makes no difference: the element's key is the same with and
 * without it.
 */
function keysOf(list: readonly Value[], path: Path, facts: DocumentFacts): string[] | undefined {
  const members = lookUp(facts.keyedBy, path);
  if (members === undefined) return undefined;
  const keys: string[] = [];
  for (const [index, element] of list.entries()) {
    if (!isObject(element)) return undefined;
    const parts = members
      .map((member): Value | undefined => {
        const part = element[member];
        return part === lookUp(facts.serverDefaults, [...path, index, member]) ? undefined : part;
      })
      .filter(isKnown)
      .filter((part) => part !== null && part !== "");
    if (parts.length === 0) return undefined;
    keys.push(parts.map(wordIn).join("/"));
  }
  return new Set(keys).size === keys.length ? keys : undefined;
}

/**
 * A document in its wire form, without members that mean nothing: null, or a value with the same meaning as leaving the
 * member out.
 */
export function withoutNothing(value: Json, facts: DocumentFacts, path: Path = []): Json {
  if (Array.isArray(value))
    return value.map((element, index) => withoutNothing(element, facts, [...path, index]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    if (member === null || saysNothing(member, at, facts)) return [];
    return [[name, withoutNothing(member, facts, at)] as const];
  });
  return Object.fromEntries(members);
}

/** A canonical document without the members that these patterns name. Objects that this leaves empty stay. */
export function withoutNamed(value: Json, excluded: readonly Pattern[], path?: Path): Json;
export function withoutNamed(value: Value, excluded: readonly Pattern[], path?: Path): Value;
export function withoutNamed(value: Value, excluded: readonly Pattern[], path: Path = []): Value {
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    return isNamed(excluded, at) ? [] : [[name, withoutNamed(member, excluded, at)] as const];
  });
  return Object.fromEntries(members);
}

/** The elements of an unordered list in a fixed order. */
export function sorted<V extends Value>(elements: readonly V[]): V[] {
  const text = (value: Value) =>
    JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));
  return [...elements].sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

/**
 * Writes a value at a canonical path into a document in its wire form, and finds the elements of keyed lists by their keys.
 * `undefined` removes the member. Returns a changed copy; the document itself does not change.
 */
export function withValueAt(
  document: Json | undefined,
  path: Path,
  value: Json | undefined,
  facts: DocumentFacts,
  at: Path = [],
): Json | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return value === undefined ? undefined : plainOf(value);
  const keyed = typeof segment === "string" && segment.startsWith(KEY);
  if (keyed || typeof segment === "number") {
    return withElementAt(Array.isArray(document) ? document : [], segment, rest, value, facts, at);
  }
  const own = isObject(document) ? document : {};
  const member = withValueAt(ownMember(own, segment), rest, value, facts, [...at, segment]);
  const members = new Map(Object.entries(own));
  if (member === undefined) members.delete(segment);
  else members.set(segment, member);
  return Object.fromEntries(members);
}

function withElementAt(
  list: readonly Json[],
  segment: string | number,
  rest: Path,
  value: Json | undefined,
  facts: DocumentFacts,
  at: Path,
): Json {
  const keys = typeof segment === "string" ? keysOf(list, at, facts) : undefined;
  const found = typeof segment === "number" ? segment : (keys ?? []).indexOf(segment.slice(KEY.length));
  const index = found < 0 ? list.length : found;
  const element = withValueAt(list[index], rest, value, facts, [...at, segment]);
  return [...list.slice(0, index), ...(element === undefined ? [] : [element]), ...list.slice(index + 1)];
}

/** A canonical path with the indexes of keyed elements instead of their keys, as far as the document contains them. */
export function elementsAt(document: Value, path: Path, facts: DocumentFacts, at: Path = []): Path {
  const [segment, ...rest] = path;
  if (segment === undefined) return [];
  const here = [...at, segment];
  const list = Array.isArray(document) ? document : [];
  const isKey = typeof segment === "string" && segment.startsWith(KEY);
  const number = isKey ? (keysOf(list, at, facts) ?? []).indexOf(segment.slice(KEY.length)) : segment;
  const inner = typeof number === "number" ? list[number] : memberOf(document, number);
  const shown = number === -1 ? segment : number;
  return [shown, ...(inner === undefined ? rest : elementsAt(inner, rest, facts, here))];
}

function memberOf(value: Value, name: string): Value | undefined {
  return isObject(value) ? ownMember(value, name) : undefined;
}

/** A canonical value in its wire form: keyed elements become a list again. */
export function plainOf(value: Json): Json;
export function plainOf(value: Value): Value;
export function plainOf(value: Value): Value {
  if (Array.isArray(value)) return value.map((element) => plainOf(element));
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => key.startsWith(KEY)))
    return Object.values(value).map((element) => plainOf(element));
  return Object.fromEntries(keys.map((key) => [key, plainOf(value[key] ?? null)]));
}
