// Values, documents and paths in the form that a program writes them.

import type { DocumentFacts } from "../language/facts";
import { type Field, fieldNamed, type Specified } from "../language/fields";
import { equalJson, formatJson, isObject, type Json } from "../value/json";
import { isNamed, KEY, lookUp, type Path, type Pattern } from "../value/path";
import { isEmpty, same } from "../value/scalar";
import { canonicalValue } from "../value/spelling";
import type { Inputs, Value } from "../value/unknown";
import { documentFactsIn } from "./forms";
import { asWritten } from "./models";
import { canonicalField, countsWhenEmpty, keysOf, saysNothing } from "./normalize";
import { differencesOf } from "./queries";
import { elementKey, memberOf, membersFrom, type Position, positionOf } from "./walk";

/** The program's value of a property, and the property's state on the service. */
type At = Position<"written" | "read" | "baseline" | "observed", Json>;

/**
 * The value that a program would have to write for a property to match the observed one. It is the program's own value, in
 * its spelling, with the current values of the drifted parts.
 * @param values `read` is the parsed value, if only the service can parse the written one; else the same value. The baseline
 * and the observed value are canonical.
 */
export function driftedValue(
  field: Field,
  values: At["values"],
  inputs: Readonly<Record<string, Json>>,
): Json | undefined {
  return projectDrift(positionOf(field, values, inputs));
}

function projectDrift(position: At): Json | undefined {
  const { field, manner, values } = position;
  const { written, baseline, observed } = values;
  if (written === undefined || same(baseline, observed)) return written;
  if (manner === "document") return inDocument(position, written);
  // A member that the program never wrote is not the program's.
  if (manner === "structure" && isObject(written) && isObject(observed))
    return membersFrom(position, projectDrift);
  const { unordered, spelling, empty } = field.facts;
  const isSet = manner === "shared" || manner === "exclusive";
  if (isSet && Array.isArray(written))
    return inSet(field, written, Array.isArray(observed) ? observed : [], manner === "shared");
  if (unordered && Array.isArray(observed)) {
    const own = spelling?.canonical(written) ?? written;
    // The order is insignificant, so keep the program's order.
    if (Array.isArray(own)) return inSet(field, own, observed, false);
  }
  return observed ?? empty ?? undefined;
}

/** The written elements that still exist, in the program's spelling, and others' additions if they are managed too. */
function inSet(field: Field, written: readonly Json[], observed: readonly Json[], isShared: boolean): Json[] {
  const there = new Set(observed.map(elementKey));
  const own = written.map((element) => [element, elementKey(canonicalElement(field, element))] as const);
  const ownKeys = new Set(own.map(([, key]) => key));
  return [
    ...own.filter(([, key]) => there.has(key)).map(([element]) => element),
    ...(isShared ? [] : observed.filter((element) => !ownKeys.has(elementKey(element)))),
  ];
}

function canonicalElement(field: Field, element: Json): Json | undefined {
  const list = canonicalField<Json>(field, [element]);
  return Array.isArray(list) ? list[0] : element;
}

/** A JSON text stays text, in its own layout, so that an engine can show the drift inside it. */
function inDocument({ field, values: { read, baseline, observed } }: At, written: Json): Json {
  const { document: facts = {}, spelling } = field.facts;
  const source = read ?? written;
  const before = spelling?.canonical(source) ?? source;
  const after = differencesOf(field, baseline, observed).reduce<Json | undefined>(
    (document, { path: [, ...inside], theirs }) => withValueAt(document, inside, theirs, facts),
    before,
  );
  if (typeof written !== "string") return asWritten(field, after) ?? {};
  // A service's parse result names every possible member. Members that mean nothing are not for people.
  const isNothing = (member: Json, at: Path) => member === null || saysNothing(member, at, facts);
  const shown = source === written ? (after ?? {}) : prune(after ?? {}, isNothing);
  return formatJson(asWritten(field, shown) ?? {}, written.includes("\n") ? 2 : undefined);
}

/**
 * A document as a person would write it. It omits members with the same meaning as their absence, the service's known
 * defaults, and blocks that are empty without them.
 * @param required the members that no program can leave out
 */
export function withoutOrdinary(value: Json, facts: DocumentFacts, required: readonly Pattern[] = []): Json {
  return prune(value, (member, at, own) => {
    if (isNamed(required, at)) return false;
    if (member === null || saysNothing(member, at, facts)) return true;
    const isDefault = equalJson(member, lookUp(facts.serverDefaults, at) ?? null);
    return isDefault || (isEmpty(own) && !countsWhenEmpty(facts, at));
  });
}

/**
 * A document without the members that a test rejects, at any depth.
 * @param isOmitted takes a member, its path, and the pruned member
 */
function prune(
  value: Json,
  isOmitted: (member: Json, path: Path, own: Json) => boolean,
  path: Path = [],
): Json {
  if (Array.isArray(value)) return value.map((element, index) => prune(element, isOmitted, [...path, index]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    const own = prune(member, isOmitted, at);
    return isOmitted(member, at, own) ? [] : [[name, own] as const];
  });
  return Object.fromEntries(members);
}

/**
 * Converts a canonical path into a document to the path in the program's value. Like the program's own marks, the result has
 * the program's names, and indexes for elements of keyed lists.
 */
export function writtenPath(definition: Specified, inputs: Inputs, path: Path): Path {
  const [name = "", ...inside] = path;
  const field = fieldNamed(definition, name);
  const facts = documentFactsIn(definition, name);
  const value = inputs[name];
  if (field === undefined || facts === undefined || value === undefined || value === null) return path;
  const { spelling } = field.facts;
  const numbered = elementsAt(canonicalValue(spelling, value), inside, facts);
  return [name, ...(spelling?.restorePath?.(numbered) ?? numbered)];
}

/** A canonical path with the indexes of keyed elements instead of their keys, as far as the document contains them. */
function elementsAt(document: Value, path: Path, facts: DocumentFacts, at: Path = []): Path {
  const [segment, ...rest] = path;
  if (segment === undefined) return [];
  const list = Array.isArray(document) ? document : [];
  const index = indexOf(segment, list, facts, at);
  const inner = typeof index === "number" ? list[index] : memberOf(document, index);
  const shown = index === -1 ? segment : index;
  return [shown, ...(inner === undefined ? rest : elementsAt(inner, rest, facts, [...at, segment]))];
}

/** The index of an element of a keyed list, or -1; any other segment unchanged. */
function indexOf(
  segment: string | number,
  list: readonly Value[],
  facts: DocumentFacts,
  at: Path,
): string | number {
  if (typeof segment === "number" || !segment.startsWith(KEY)) return segment;
  return keysOf(list, at, facts)?.indexOf(segment.slice(KEY.length)) ?? -1;
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
  const below = (part: Json | undefined) => withValueAt(part, rest, value, facts, [...at, segment]);
  const list = Array.isArray(document) ? document : [];
  const index = indexOf(segment, list, facts, at);
  if (typeof index === "number") {
    const place = index < 0 ? list.length : index;
    const element = below(list[place]);
    return [...list.slice(0, place), ...(element === undefined ? [] : [element]), ...list.slice(place + 1)];
  }
  const members = new Map(isObject(document) ? Object.entries(document) : []);
  const member = below(members.get(index));
  if (member === undefined) members.delete(index);
  else members.set(index, member);
  return Object.fromEntries(members);
}

/** A canonical value in its wire form: keyed elements become a list again. */
export function plainOf<V extends Value>(value: V): V {
  if (Array.isArray(value)) return value.map(plainOf) as V;
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, plainOf(member)] as const);
  const isKeyed = members.length > 0 && members.every(([name]) => name.startsWith(KEY));
  // The form of a value has no effect on its type.
  return (isKeyed ? members.map(([, member]) => member) : Object.fromEntries(members)) as V;
}
