import { type DefinitionBase, type Field, fieldsOf, type Specified } from "../language/fields";
import type { Values } from "../language/object";
import { sameInDocument } from "../value/equality";
import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import type { Value } from "../value/unknown";
import { canonicalField, type Model, modelOfInputs } from "./model";
import { type Position, positionOf, positionsIn, type Visitor, visit } from "./walk";

/** The four models of a resource, all canonical, and what decides how they are compared. */
export interface Comparison {
  /** What the program wrote at our last write. */
  readonly applied: Model;
  /** What it writes now; it may hold unknown values in a preview. */
  readonly desired: Readonly<Record<string, Value | undefined>>;
  /** The service's answer to our last write. */
  readonly settled: Model;
  /** The service's latest answer. */
  readonly seen: Model;
  /** The forms in which the program now writes properties that have several, by the names of the properties. */
  readonly forms?: ReadonlyMap<string, Field>;
  /** The properties of a text that changed since our last write, where only the service could say what the text means. */
  readonly changedText?: readonly Field[];
}

/** The four models of a comparison. */
export type ComparedModel = "applied" | "desired" | "settled" | "seen";

/** Whether the program never wrote a property, or a member of a structure: then others may own it. */
export function isUnmanaged({ path, depth, values }: Position<ComparedModel>): boolean {
  return path.length === depth && values.applied === undefined && values.desired === undefined;
}

/** What tells an element of a list from the others: its text. */
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

/** A position at which two models differ, as deep as both hold objects. */
export interface Difference {
  readonly path: Path;
  readonly field: Field;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Where two models of an object differ, whoever manages it. */
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

/** Where two values of a property differ. */
export function differencesOf(field: Field, from: Json | undefined, to: Json | undefined): Difference[] {
  return visit(different, positionOf(field, { from, to }));
}

const different: Visitor<"from" | "to", Difference[], Json> = {
  // What is equal as a whole is not looked into: a few members of thousands differ.
  enters: ({ values: { from, to } }) => isObject(from) && isObject(to) && !sameInDocument(from, to),
  whole: ({ path, field, values: { from, to } }) =>
    sameInDocument(from, to) ? [] : [{ path, field, from, to }],
  parts: (_, results) => results.flatMap(({ result }) => result),
};

/** What a property goes back to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  return canonicalField(field, value);
}

/** The default of a property. */
export function defaultValue(field: Field): Json | undefined {
  return canonicalField(field, field.facts.default);
}

/** What a write of these inputs asks for: what the program writes, and the defaults of the other properties. */
export function modelWithDefaults(definition: DefinitionBase, inputs: Values): Model {
  const defaults = fieldsOf(definition).map((field) => [field.name, defaultValue(field)] as const);
  return {
    ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    ...modelOfInputs(definition, inputs),
  };
}
