// Values, documents and paths as a program writes them.

import type { DocumentFacts } from "../language/facts";
import { type Field, fieldNamed, type Specified } from "../language/fields";
import { isEmpty, same } from "../value/equality";
import { equalJson, formatJson, isObject, type Json } from "../value/json";
import { isNamed, lookUp, type Path, type Pattern } from "../value/path";
import { canonicalValue } from "../value/spelling";
import type { Inputs } from "../value/unknown";
import { differencesOf, elementKey } from "./comparison";
import { elementsAt, saysNothing, withoutNothing, withValueAt } from "./document";
import { countsWhenEmpty } from "./entries";
import { recordedAs } from "./forms";
import { canonicalField } from "./model";
import { withMembers } from "./response";
import { type Position, positionOf, type Visitor, visit } from "./walk";

/** The program's value of a property, and the property's state on the service. */
export interface DriftedProperty {
  readonly written: Json | undefined;
  /** The parsed value, if only the service can parse the written one; else the same value. */
  readonly read: Json | undefined;
  /** The service's response to our last write (the baseline) and its latest one; both canonical. */
  readonly baseline: Json | undefined;
  readonly observed: Json | undefined;
}

type At = Position<keyof DriftedProperty, Json>;

/**
 * The value that a program would have to write for a property to match the observed one. It is the program's own value, in
 * its spelling, with the current values of the drifted parts.
 */
export function driftedValue(
  field: Field,
  { written, read, baseline, observed }: DriftedProperty,
  inputs: Readonly<Record<string, Json>>,
): Json | undefined {
  return visit(drifted, positionOf(field, { written, read, baseline, observed }, inputs));
}

const drifted: Visitor<keyof DriftedProperty, Json | undefined, Json> = {
  enters: ({ manner, values: { written, baseline, observed } }) =>
    manner === "structure" && isObject(written) && isObject(observed) && !same(baseline, observed),
  whole(position) {
    const { field, manner, values } = position;
    const { written, baseline, observed } = values;
    if (written === undefined || same(baseline, observed)) return written;
    if (manner === "document") return inDocument(position, written);
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
  },
  parts: ({ values: { written } }, results) =>
    // A member that the program never wrote is not the program's.
    withMembers(results.filter(({ segment }) => isObject(written) && Object.hasOwn(written, segment))),
};

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
  const list = canonicalField(field, [element]);
  // A single known element stays known.
  return Array.isArray(list) ? (list[0] as Json) : element;
}

/** A JSON text stays text, in its own layout, so that an engine can show the drift inside it. */
function inDocument({ field, values: { read, baseline, observed } }: At, written: Json): Json {
  const { document: facts = {}, spelling } = field.facts;
  const source = read ?? written;
  const before = spelling?.canonical(source) ?? source;
  const after = differencesOf(field, baseline, observed).reduce<Json | undefined>(
    (document, { path: [, ...inside], to }) => withValueAt(document, inside, to, facts),
    before,
  );
  if (typeof written !== "string") return asWritten(field, after) ?? {};
  // A service's parse result names every possible member. Members that mean nothing are not for people.
  const shown = source === written ? (after ?? {}) : withoutNothing(after ?? {}, facts);
  return formatJson(asWritten(field, shown) ?? {}, written.includes("\n") ? 2 : undefined);
}

/** A canonical value in the form that a program would write. */
export function asWritten({ facts }: Field, value: Json | undefined): Json | undefined {
  return value === undefined || value === null ? value : (facts.spelling?.restore?.(value) ?? value);
}

/**
 * A document as a person would write it. It omits members with the same meaning as their absence, the service's known
 * defaults, and blocks that are empty without them.
 * @param required the members that no program can leave out
 */
export function withoutOrdinary(
  value: Json,
  facts: DocumentFacts,
  required: readonly Pattern[] = [],
  path: Path = [],
): Json {
  if (Array.isArray(value))
    return value.map((element, index) => withoutOrdinary(element, facts, required, [...path, index]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    if (isNamed(required, at)) return [[name, withoutOrdinary(member, facts, required, at)] as const];
    if (member === null || saysNothing(member, at, facts)) return [];
    if (equalJson(member, lookUp(facts.serverDefaults, at) ?? null)) return [];
    const own = withoutOrdinary(member, facts, required, at);
    return isEmpty(own) && !countsWhenEmpty(facts, at) ? [] : [[name, own] as const];
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
  const facts = field && recordedAs(definition, field).facts.document;
  const value = inputs[name];
  if (field === undefined || facts === undefined || value === undefined || value === null) return path;
  const { spelling } = field.facts;
  const numbered = elementsAt(canonicalValue(spelling, value), inside, facts);
  return [name, ...(spelling?.restorePath?.(numbered) ?? numbered)];
}
