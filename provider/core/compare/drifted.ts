import type { Field } from "../language/fields";
import { same } from "../value/equality";
import { formatJson, isObject, type Json } from "../value/json";
import { differencesOf, elementKey } from "./comparison";
import { withoutNothing, withValueAt } from "./document";
import { canonicalField } from "./model";
import { withMembers } from "./predicted";
import { type Position, positionOf, type Visitor, visit } from "./walk";

/** The program's value of a property, and the property's state on the service. */
export interface DriftedProperty {
  readonly written: Json | undefined;
  /** The parsed value, if only the service can parse the written one; else the same value. */
  readonly read: Json | undefined;
  /** The service's response to our last write (the baseline) and its latest one; both canonical. */
  readonly settled: Json | undefined;
  readonly seen: Json | undefined;
}

type At = Position<keyof DriftedProperty, Json>;

/**
 * The value that a program would have to write for a property to match the observed one. It is the program's own value, in
 * its spelling, with the current values of the drifted parts.
 */
export function driftedValue(
  field: Field,
  { written, read, settled, seen }: DriftedProperty,
  inputs: Readonly<Record<string, Json>>,
): Json | undefined {
  return visit(drifted, positionOf(field, { written, read, settled, seen }, inputs));
}

const drifted: Visitor<keyof DriftedProperty, Json | undefined, Json> = {
  enters: ({ manner, values: { written, settled, seen } }) =>
    manner === "structure" && isObject(written) && isObject(seen) && !same(settled, seen),
  whole(position) {
    const { field, manner, values } = position;
    const { written, settled, seen } = values;
    if (written === undefined || same(settled, seen)) return written;
    if (manner === "document") return inDocument(position, written);
    const { unordered, spelling, empty } = field.facts;
    const isSet = manner === "shared" || manner === "exclusive";
    if (isSet && Array.isArray(written))
      return inSet(field, written, Array.isArray(seen) ? seen : [], manner === "shared");
    if (unordered && Array.isArray(seen)) {
      const own = spelling?.canonical(written) ?? written;
      // The order is insignificant, so keep the program's order.
      if (Array.isArray(own)) return inSet(field, own, seen, false);
    }
    return seen ?? empty ?? undefined;
  },
  parts: ({ values: { written } }, results) =>
    // A member that the program never wrote is not the program's.
    withMembers(results.filter(({ segment }) => isObject(written) && Object.hasOwn(written, segment))),
};

/** The written elements that still exist, in the program's spelling, and others' additions if they are managed too. */
function inSet(field: Field, written: readonly Json[], seen: readonly Json[], isShared: boolean): Json[] {
  const there = new Set(seen.map(elementKey));
  const own = written.map((element) => [element, elementKey(canonicalElement(field, element))] as const);
  const ownKeys = new Set(own.map(([, key]) => key));
  return [
    ...own.filter(([, key]) => there.has(key)).map(([element]) => element),
    ...(isShared ? [] : seen.filter((element) => !ownKeys.has(elementKey(element)))),
  ];
}

function canonicalElement(field: Field, element: Json): Json | undefined {
  const list = canonicalField(field, [element]);
  // A single known element stays known.
  return Array.isArray(list) ? (list[0] as Json) : element;
}

/** A JSON text stays text, in its own layout, so that an engine can show the drift inside it. */
function inDocument({ field, values: { read, settled, seen } }: At, written: Json): Json {
  const { document: facts = {}, spelling } = field.facts;
  const source = read ?? written;
  const before = spelling?.canonical(source) ?? source;
  const after = differencesOf(field, settled, seen).reduce<Json | undefined>(
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
