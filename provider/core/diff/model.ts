import type { DocumentFacts } from "../language/facts";
import { type Field, fieldsOf, type Specified } from "../language/fields";
import type { Values } from "../language/object";
import { isCompared } from "../language/role";
import { equalJson, isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Pattern } from "../value/path";
import { canonicalValue } from "../value/spelling";
import { type Inputs, isKnown, knownAmong, type Value } from "../value/unknown";
import { canonicalDocument, sorted, withoutNamed } from "./document";
import { ownFields, writtenForm } from "./forms";

/** An object by the program's property names, each value in canonical form. */
export type Model = { readonly [property: string]: Json | undefined };

/** The model of a program's inputs, parts of which may be unknown: in a preview, or in a text not parsed yet. */
export type OpenModel = { readonly [property: string]: Value | undefined };

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
      const value = written && canonicalField(written.field, written.value, othersOwnedIn(field, inputs));
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
    const plain = decode(field, memberFor(definition, field, body));
    const floating = plain === undefined || plain === null ? [] : (facts.document?.floats?.(plain) ?? []);
    const value = canonicalField(field, plain, [...othersOwnedIn(field, inputs), ...floating]);
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

/** Canonicalises a model that an earlier version may have written: this version may leave out more members. */
export function canonicalModel(definition: Specified, model: Model): Model {
  const documents = fieldsOf(definition).flatMap(({ name, facts }) => {
    const value = model[name];
    if (value === undefined || facts.document?.empties === undefined) return [];
    return [[name, canonicalDocument(value, facts.document) ?? {}] as const];
  });
  return documents.length === 0 ? model : { ...model, ...Object.fromEntries(documents) };
}

/** A model without the parts that others own under these inputs, which are not compared. */
export function withoutOthersOwned(definition: Specified, model: Model, inputs: Inputs): Model {
  const parts = fieldsWithOthersOwned(definition).flatMap((field) => {
    const value = model[field.name];
    const excluded = othersOwnedIn(field, inputs);
    return value === undefined || excluded.length === 0
      ? []
      : [[field.name, withoutNamed(value, excluded)] as const];
  });
  return parts.length === 0 ? model : { ...model, ...Object.fromEntries(parts) };
}

/** The properties that others may own in part. */
const fieldsWithOthersOwned = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition).filter(({ facts }) => facts.document?.othersOwned !== undefined),
);

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
export function decode(field: Field, value: Json | undefined): Json | undefined {
  if (field.children === undefined || !isObject(value)) return value;
  const members: { [name: string]: Json } = {};
  for (const child of field.children) {
    const member = decode(child, value[child.wire]);
    if (member !== undefined) members[child.name] = member;
  }
  return members;
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

/** A property's value in canonical form; undefined if no value was written. */
export function canonicalField(
  field: Field,
  value: Json | undefined,
  excluded?: readonly Pattern[],
): Json | undefined;
export function canonicalField(
  field: Field,
  value: Value | undefined,
  excluded?: readonly Pattern[],
): Value | undefined;
export function canonicalField(
  field: Field,
  value: Value | undefined,
  excluded: readonly Pattern[] = [],
): Value | undefined {
  if (value === undefined || value === null) return undefined;
  const { facts } = field;
  const plain = canonicalValue(facts.spelling, value);
  if (plain === null) return facts.document ? {} : undefined;
  if (facts.document) {
    const document = canonicalDocument(plain, facts.document, excluded) ?? {};
    return isObject(document) ? { ...impliedIn(plain, facts.document), ...document } : document;
  }
  if (field.children && isObject(plain)) {
    const members: { [name: string]: Value } = {};
    for (const child of field.children) {
      const member = canonicalField(child, plain[child.name]);
      if (member !== undefined) members[child.name] = member;
    }
    return members;
  }
  if (!Array.isArray(plain)) return plain;
  const all: readonly Value[] = plain;
  const elements = all.filter(isKnown);
  if (elements.length < plain.length) return plain;
  if (facts.additive !== undefined) return withoutRepeats(sorted(elements));
  return facts.unordered ? sorted(elements) : elements;
}

/** An additive list is a set: an element written twice exists once. */
function withoutRepeats(elements: Json[]): Json[] {
  return elements.filter((element, index) => index === 0 || !equalJson(element, elements[index - 1]));
}

/** The values that a document implies by leaving members out. */
function impliedIn(document: Value, { implied, impliedBy = {} }: DocumentFacts): { [member: string]: Value } {
  const members: { [member: string]: Value } = { ...implied };
  for (const [name, other] of Object.entries(impliedBy)) {
    const value = isObject(document) ? document[other] : undefined;
    if (value !== undefined && value !== null) members[name] = value;
  }
  return members;
}

function othersOwnedIn(field: Field, inputs: Inputs): readonly Pattern[] {
  const { othersOwned } = field.facts.document ?? {};
  if (othersOwned === undefined) return [];
  return othersOwned(knownAmong(inputs));
}
