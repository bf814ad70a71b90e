import type { Field } from "../language/fields";
import { same } from "../value/equality";
import { formatJson, isObject, type Json } from "../value/json";
import { differencesOf, elementKey } from "./comparison";
import { withoutNothing, withValueAt } from "./document";
import { canonicalField } from "./model";
import { withMembers } from "./predicted";
import { type Position, positionOf, type Visitor, visit } from "./walk";

/** What a program wrote, and how it stands on the service. */
export interface DriftedProperty {
  readonly written: Json | undefined;
  /** What it says where only the service could read it; else the same. */
  readonly read: Json | undefined;
  /** The service's answer to our last write, and its latest one; both canonical. */
  readonly settled: Json | undefined;
  readonly seen: Json | undefined;
}

type At = Position<keyof DriftedProperty, Json>;

/**
 * What a program would have to write for a property to be as it was seen: what it wrote, in its own spelling, with the
 * parts that others moved as they are now.
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
      // Where order means nothing, it is the program's.
      if (Array.isArray(own)) return inSet(field, own, seen, false);
    }
    return seen ?? empty ?? undefined;
  },
  parts: ({ values: { written } }, results) =>
    // What the program never wrote is none of its own.
    withMembers(results.filter(({ segment }) => isObject(written) && Object.hasOwn(written, segment))),
};

/** What is still there of what was written, in its spelling, and what others added where that is managed too. */
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

/** Text stays text, laid out as it was, so that an engine can show what moved inside it. */
function inDocument({ field, values: { read, settled, seen } }: At, written: Json): Json {
  const { document: facts = {}, spelling } = field.facts;
  const source = read ?? written;
  const before = spelling?.canonical(source) ?? source;
  const after = differencesOf(field, settled, seen).reduce<Json | undefined>(
    (document, { path: [, ...inside], to }) => withValueAt(document, inside, to, facts),
    before,
  );
  if (typeof written !== "string") return asWritten(field, after) ?? {};
  // What a service read in a text names every member there is: those that say nothing are not for people.
  const shown = source === written ? (after ?? {}) : withoutNothing(after ?? {}, facts);
  return formatJson(asWritten(field, shown) ?? {}, written.includes("\n") ? 2 : undefined);
}

/** A canonical value as a program would write it. */
export function asWritten({ facts }: Field, value: Json | undefined): Json | undefined {
  return value === undefined || value === null ? value : (facts.spelling?.restore?.(value) ?? value);
}
