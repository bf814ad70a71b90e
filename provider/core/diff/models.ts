import type { Facts } from "../language/facts";
import { type Field, fieldsOf, type Specified } from "../language/fields";
import type { Values } from "../language/object";
import { isCompared } from "../language/role";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Pattern } from "../value/path";
import { type Inputs, knownAmong, type Value } from "../value/unknown";
import { ownFields, writtenForm } from "./forms";
import { canonicalDocument, canonicalField } from "./normalize";

/** An object by the program's property names, each value in canonical form. */
export type Model = { readonly [property: string]: Json | undefined };

/** The model of a program's inputs, parts of which may be unknown: in a preview, or in a text not parsed yet. */
export type OpenModel = { readonly [property: string]: Value | undefined };

/** The four models of a resource, all in canonical form, and the data that decides how to compare them. */
export interface Comparison {
  /** The program's inputs at our last write. */
  readonly lastApplied: Model;
  /** The program's current inputs. In a preview they may contain unknown values. */
  readonly desired: OpenModel;
  /** The baseline: the service's response to our last write. */
  readonly baseline: Model;
  /** The observed object: the service's latest response. */
  readonly observed: Model;
  /** The form that the program now uses for each property with several forms, by the property's name. */
  readonly forms?: ReadonlyMap<string, Field>;
  /** The inputs of a text that changed since our last write, if only the service can parse the text. */
  readonly changedText?: readonly Field[];
}

/** A model as a JSON object: the properties that have a value. */
export function plainModel(model: Readonly<Record<string, Json | undefined>>): { [property: string]: Json } {
  return Object.fromEntries(
    Object.entries(model).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * A program's inputs in canonical form, under the names that records use, regardless of the form written. Properties written
 * as null count as not written.
 */
export function modelOfInputs(definition: Specified, inputs: Values): Model;
export function modelOfInputs(definition: Specified, inputs: Inputs): OpenModel;
export function modelOfInputs(definition: Specified, inputs: Inputs): OpenModel {
  return modelsOf(definition)(inputs);
}

/** A step requests the models of the same inputs and records again and again. */
const modelsOf = memoByObject((definition: Specified) =>
  memoByObject((inputs: Inputs): OpenModel => {
    const model: Record<string, Value | undefined> = {};
    for (const field of ownFields(definition)) {
      const written = writtenForm(definition, field, inputs);
      const value =
        written && canonicalField(written.field, written.value, othersOwnedIn(field.facts, inputs));
      if (value !== undefined) model[field.name] = value;
    }
    return model;
  }),
);

/** A service's response in canonical form, without the service's own members and write-only properties. */
export function modelOfBody(
  definition: Specified,
  body: { readonly [member: string]: Json },
  inputs: Inputs = {},
): Model {
  const model: Record<string, Json | undefined> = {};
  for (const field of answeredFields(definition)) {
    const { facts } = field;
    const plain = decodeField(field, memberFor(definition, field, body));
    const floating = plain === undefined || plain === null ? [] : (facts.document?.floats?.(plain) ?? []);
    const value = canonicalField(field, plain, [...othersOwnedIn(facts, inputs), ...floating]);
    if (value !== undefined) model[field.name] = value;
  }
  return model;
}

/** The compared properties that a service returns, each under one name. */
const answeredFields = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition)
    .filter(({ facts }) => isCompared(facts) && facts.formOf === undefined)
    .map(asAnswered),
);

/** A property in the spelling that its service returns. */
export function asAnswered(field: Field): Field {
  const { answered } = field.facts.spelling ?? {};
  return answered === undefined ? field : { ...field, facts: { ...field.facts, spelling: answered } };
}

/** The value that a property returns to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  return canonicalField(field, field.facts.default ?? field.facts.empty);
}

/** The default of a property. */
export function defaultValue(field: Field): Json | undefined {
  return canonicalField(field, field.facts.default);
}

/** The values that a write of these inputs requests: the program's own, and the defaults of the other properties. */
export function modelWithDefaults(definition: Specified, inputs: Values): Model {
  const defaults = fieldsOf(definition).map((field) => [field.name, defaultValue(field)] as const);
  return {
    ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    ...modelOfInputs(definition, inputs),
  };
}

/** Canonicalizes a model that an earlier version may have written: this version may leave out more members. */
export function canonicalModel(definition: Specified, model: Model): Model {
  return withCanonical(definition, model, ({ document }) => document?.empties && []);
}

/** A model without the parts that others own under these inputs, which are not compared. */
export function withoutOthersOwned(definition: Specified, model: Model, inputs: Inputs): Model {
  return withCanonical(definition, model, (facts) => {
    const excluded = othersOwnedIn(facts, inputs);
    return excluded.length === 0 ? undefined : excluded;
  });
}

/** A model with canonical documents, where the test returns the members to exclude. */
function withCanonical(
  definition: Specified,
  model: Model,
  excludedFrom: (facts: Facts) => readonly Pattern[] | undefined,
): Model {
  const documents = fieldsOf(definition).flatMap(({ name, facts }) => {
    const [value, excluded] = [model[name], excludedFrom(facts)];
    if (value === undefined || excluded === undefined) return [];
    return [[name, canonicalDocument(value, facts.document ?? {}, excluded) ?? {}] as const];
  });
  return { ...model, ...Object.fromEntries(documents) };
}

/** The member of a body that carries a property: by name, or the body itself for a document spread over it. */
export function memberFor(
  definition: Specified,
  field: Field,
  body: { readonly [member: string]: Json },
): Json | undefined {
  return field.wire === "." ? spread(definition)(body) : body[field.wire];
}

/** The part of a body that belongs to the document spread over it. */
const spread = memoByObject((definition: Specified) => {
  const taken = new Set(fieldsOf(definition).map((other) => other.wire));
  return memoByObject((body: { readonly [member: string]: Json }) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !taken.has(name))),
  );
});

/** Converts a wire value to the program's names. Documents keep their wire names. */
export function decodeField(field: Field, value: Json | undefined): Json | undefined {
  if (field.children === undefined || !isObject(value)) return value;
  const members: { [name: string]: Json } = {};
  for (const child of field.children) {
    const member = decodeField(child, value[child.wire]);
    if (member !== undefined) members[child.name] = member;
  }
  return members;
}

/** A canonical value in the form that a program would write. */
export function asWritten({ facts }: Field, value: Json | undefined): Json | undefined {
  return value === undefined || value === null ? value : (facts.spelling?.restore?.(value) ?? value);
}

/** Converts a program's value to wire names, in the spelling to send. */
export function encode(field: Field, value: Json): Json {
  if (field.children && isObject(value)) {
    const members: { [name: string]: Json } = {};
    for (const child of field.children) {
      const member = value[child.name];
      if (member !== undefined) members[child.wire] = encode(child, member);
    }
    return members;
  }
  const { spelling } = field.facts;
  return value === null || spelling?.encode === undefined ? value : spelling.encode(value);
}

function othersOwnedIn({ document }: Facts, inputs: Inputs): readonly Pattern[] {
  return document?.othersOwned?.(knownAmong(inputs)) ?? [];
}
