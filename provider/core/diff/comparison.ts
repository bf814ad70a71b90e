import { type DefinitionBase, type Field, fieldsOf, type Specified } from "../language/fields";
import type { Values } from "../language/object";
import { sameInDocument } from "../value/equality";
import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import type { Value } from "../value/unknown";
import { canonicalField, type Model, modelOfInputs } from "./model";
import { type Position, positionOf, positionsIn, type Visitor, visit } from "./walk";

/** The four models of a resource, all in canonical form, and the data that decides how to compare them. */
export interface Comparison {
  /** The program's inputs at our last write. */
  readonly lastApplied: Model;
  /** The program's current inputs. In a preview they may contain unknown values. */
  readonly desired: Readonly<Record<string, Value | undefined>>;
  /** The baseline: the service's response to our last write. */
  readonly baseline: Model;
  /** The observed object: the service's latest response. */
  readonly observed: Model;
  /** The form that the program now uses for each property with several forms, by the property's name. */
  readonly forms?: ReadonlyMap<string, Field>;
  /** The inputs of a text that changed since our last write, if only the service can parse the text. */
  readonly changedText?: readonly Field[];
}

/** The four models of a comparison. */
export type ComparedModel = "lastApplied" | "desired" | "baseline" | "observed";

/** True if the program never wrote a property, or a member of a structure: others may own it. */
export function isUnmanaged({ path, depth, values }: Position<ComparedModel>): boolean {
  return path.length === depth && values.lastApplied === undefined && values.desired === undefined;
}

/** Identifies an element of a list by its JSON text. */
export function elementKey(element: Value | undefined): string {
  return JSON.stringify(element, (_, part) =>
    typeof part === "bigint" || typeof part === "symbol" ? `${typeof part} ${String(part)}` : part,
  );
}

/** The elements of a list, or the members of a map, each under a key. */
export function elementsOf(value: Value | undefined): Map<string, Value> {
  if (Array.isArray(value)) return new Map(value.map((element) => [elementKey(element), element]));
  return new Map(isObject(value) ? Object.entries(value) : []);
}

/** A position where two models differ, as deep as both contain objects. */
export interface Difference {
  readonly path: Path;
  readonly field: Field;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** The differences between two models of an object, regardless of their owner. */
export function differencesIn(
  definition: Specified,
  from: Model,
  to: Model,
  forms?: ReadonlyMap<string, Field>,
): Difference[] {
  return positionsIn(definition, { models: { from, to }, forms }).flatMap((position) =>
    visit(different, position),
  );
}

/** The differences between two values of a property. */
export function differencesOf(field: Field, from: Json | undefined, to: Json | undefined): Difference[] {
  return visit(different, positionOf(field, { from, to }));
}

const different: Visitor<"from" | "to", Difference[], Json> = {
  // Equal values are not compared member by member: only a few members of thousands differ.
  enters: ({ values: { from, to } }) => isObject(from) && isObject(to) && !sameInDocument(from, to),
  whole: ({ path, field, values: { from, to } }) =>
    sameInDocument(from, to) ? [] : [{ path, field, from, to }],
  parts: (_, results) => results.flatMap(({ result }) => result),
};

/** The value that a property returns to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  return canonicalField(field, value);
}

/** The default of a property. */
export function defaultValue(field: Field): Json | undefined {
  return canonicalField(field, field.facts.default);
}

/** The values that a write of these inputs requests: the program's own, and the defaults of the other properties. */
export function modelWithDefaults(definition: DefinitionBase, inputs: Values): Model {
  const defaults = fieldsOf(definition).map((field) => [field.name, defaultValue(field)] as const);
  return {
    ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    ...modelOfInputs(definition, inputs),
  };
}
