// The canonical form of values, which all comparisons use.

import type { DocumentFacts } from "../language/facts";
import type { Field } from "../language/fields";
import { equalJson, isObject } from "../value/json";
import { memoByObject } from "../value/memo";
import { isNamed, KEY, lookUp, matches, type Path, type Pattern } from "../value/path";
import { isEmpty, same, sameInDocument, stringIn } from "../value/scalar";
import { canonicalValue } from "../value/spelling";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";

/**
 * Converts a document to the canonical form that comparisons use. It makes spellings canonical and puts the elements of
 * keyed lists under their keys. It removes the service's own members, members with the same meaning as their absence, and
 * null or empty members (services return an empty list as null, or not at all). Blocks and entries under user-defined keys
 * stay even if they are empty. A document already in this form does not change.
 * @param excluded members that are not compared
 */
export function canonicalDocument<V extends Value>(
  value: V | undefined,
  facts: DocumentFacts,
  excluded: readonly Pattern[] = [],
): V | undefined {
  const isPlain = excluded.length > 0 || !isObject(value);
  const canonical = isPlain ? canonicalIn(facts, excluded)(value, []) : canonicalBy(facts)(value);
  // A canonical value is known if the value is.
  return canonical as V | undefined;
}

/** An operation compares the same documents again and again. */
const canonicalBy = memoByObject((facts: DocumentFacts) =>
  memoByObject((value: { [key: string]: Value }) => canonicalIn(facts, [])(value, [])),
);

function canonicalIn(facts: DocumentFacts, excluded: readonly Pattern[]) {
  const { serverOwned, spellings } = facts;
  const isHidden = (path: Path) => isNamed(serverOwned, path) || isNamed(excluded, path);

  function canonical(value: Value | undefined, path: Path): Value | undefined {
    if (value === undefined || value === null) return undefined;
    if (value === UNKNOWN) return UNKNOWN;
    if (path.length > 0 && isHidden(path)) return undefined;
    const spelling = lookUp(spellings, path);
    const plain = spelling === undefined || !isKnown(value) ? value : spelling.canonical(value);
    if (Array.isArray(plain)) return canonicalList(plain, path);
    if (isObject(plain)) return canonicalObject(plain, path);
    return saysNothing(plain, path, facts) ? undefined : (plain ?? undefined);
  }

  function canonicalObject(value: { [key: string]: Value }, path: Path): Value | undefined {
    const members: [string, Value][] = [];
    for (const key of Object.keys(value)) {
      // Canonical documents must not change: an element of a keyed list exists even if it is empty.
      const nothing = key.startsWith(KEY) ? {} : undefined;
      const member = canonical(value[key], [...path, key]) ?? nothing;
      if (member !== undefined) members.push([key, member]);
    }
    const isNothing = members.length === 0 && !countsWhenEmpty(facts, path);
    return isNothing ? undefined : Object.fromEntries(members);
  }

  function canonicalList(value: readonly Value[], path: Path): Value | undefined {
    if (value.length === 0) return isEntry(facts, path) ? [] : undefined;
    const keys = keysOf(value, path, facts);
    if (keys === undefined) {
      const elements = value.map((element, index) => canonical(element, [...path, index]) ?? null);
      return isNamed(facts.unordered, path) ? inFixedOrder(elements) : elements;
    }
    const elements = value.map((element, index) => {
      const key = KEY + keys[index];
      return [key, canonical(element, [...path, key]) ?? {}] as const;
    });
    return Object.fromEntries(elements);
  }

  return canonical;
}

/** True if a value at this path means the same as leaving it out. */
export function saysNothing(value: Value, path: Path, { empties, leftOut }: DocumentFacts): boolean {
  if (value === "" || value === false || value === 0) return isNamed(empties, path);
  return leftOut !== undefined && lookUp(leftOut, path) === value;
}

/**
 * The keys of a list's elements. Undefined if an element has no key or two elements share one, so that the list is compared
 * by position. A default that the service is known to add makes no difference: the element's key is the same with and
 * without it.
 */
export function keysOf(list: readonly Value[], path: Path, facts: DocumentFacts): string[] | undefined {
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
    keys.push(parts.map(stringIn).join("/"));
  }
  return new Set(keys).size === keys.length ? keys : undefined;
}

/** The elements of an unordered list in a fixed order. */
export function inFixedOrder<V extends Value>(elements: readonly V[]): V[] {
  const text = (value: Value) =>
    JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));
  return [...elements].sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

/** A property's value in canonical form; undefined if no value was written. */
export function canonicalField<V extends Value>(
  field: Field,
  value: V | undefined,
  excluded: readonly Pattern[] = [],
): V | undefined {
  // A canonical value is known if the value is.
  return canonicalOf(field, value, excluded) as V | undefined;
}

function canonicalOf(field: Field, value: Value | undefined, excluded: readonly Pattern[]) {
  if (value === undefined || value === null) return undefined;
  const { facts, children } = field;
  const plain: Value = canonicalValue(facts.spelling, value);
  if (plain === null) return facts.document ? {} : undefined;
  if (facts.document) {
    const document = canonicalDocument(plain, facts.document, excluded) ?? {};
    return isObject(document) ? { ...impliedValues(plain, facts.document), ...document } : document;
  }
  if (children && isObject(plain)) {
    const members: { [name: string]: Value } = {};
    for (const child of children) {
      const member = canonicalField<Value>(child, plain[child.name]);
      if (member !== undefined) members[child.name] = member;
    }
    return members;
  }
  if (!Array.isArray(plain)) return plain;
  const all: readonly Value[] = plain;
  const elements = all.filter(isKnown);
  if (elements.length < plain.length) return plain;
  const isSet = facts.additive !== undefined || facts.unordered === true;
  const ordered = isSet ? inFixedOrder(elements) : elements;
  // An element written twice exists once in a set.
  return ordered.filter((one, index) => !isSet || index === 0 || !equalJson(one, ordered[index - 1]));
}

/** The values that a document implies by leaving members out. */
function impliedValues(
  document: Value,
  { implied, impliedBy = {} }: DocumentFacts,
): { [member: string]: Value } {
  const members: { [member: string]: Value } = { ...implied };
  for (const [name, other] of Object.entries(impliedBy)) {
    const value = isObject(document) ? document[other] : undefined;
    if (value !== undefined && value !== null) members[name] = value;
  }
  return members;
}

/** True if a path into a document names an entry of a map with user-defined keys. Such an entry exists even if it is empty. */
function isEntry({ entries, freeEntries }: DocumentFacts, path: Path): boolean {
  return isNamed(entries, path) || (freeEntries?.some((pattern) => matches(pattern, path, true)) ?? false);
}

/** True if the presence of a value at this path in a document is significant even if the value is empty. */
export function countsWhenEmpty(facts: DocumentFacts, path: Path): boolean {
  return isNamed(facts.blocks, path) || isEntry(facts, path);
}

/**
 * True if a value of a property contains only empty values, at any depth. An entry under a user-defined key is never empty.
 * @param inside the path from the property to the value
 */
export function isDeepEmpty(field: Field, value: Value | undefined, inside: Path = []): boolean {
  const { children, facts } = field;
  if (value === undefined || value === null) return true;
  if (facts.document && isEntry(facts.document, inside)) return false;
  if (Array.isArray(value))
    return value.every((element, index) => isDeepEmpty(field, element, [...inside, index]));
  if (!isObject(value)) return isEmpty(value);
  return Object.entries(value).every(([name, member]) => {
    const child = children?.find((each) => each.name === name);
    if (child !== undefined) return isDeepEmpty(child, member);
    return facts.document !== undefined && isDeepEmpty(field, member, [...inside, name]);
  });
}

/**
 * True if two values at a path into a model are equal. Absent and empty values are equal, except for an entry under a
 * user-defined key.
 */
export function sameAt({ facts }: Field, path: Path, a: Value | undefined, b: Value | undefined): boolean {
  return facts.document && isEntry(facts.document, path.slice(1)) ? sameInDocument(a, b) : same(a, b);
}
