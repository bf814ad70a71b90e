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

/** An object by the program's property names, each value in its canonical form. */
export type Model = { readonly [property: string]: Json | undefined };

/** The model of a program's inputs, parts of which may be unknown: those of a preview, and a text that nobody has read yet. */
export type OpenModel = { readonly [property: string]: Value | undefined };

/** A model as a JSON object: the properties that have a value. */
export function plainModel(model: Readonly<Record<string, Json | undefined>>): { [property: string]: Json } {
  return Object.fromEntries(
    Object.entries(model).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * What a program wrote, in canonical form and by the names under which it is recorded, whatever form it is in.
 * Properties that it wrote as null count as not written.
 */
export function modelOfInputs(definition: Specified, inputs: Values): Model;
export function modelOfInputs(definition: Specified, inputs: Inputs): OpenModel;
export function modelOfInputs(definition: Specified, inputs: Inputs): OpenModel {
  return modelsOf(definition)(inputs);
}

/** A step asks for the models of the same inputs, and of the same records, again and again. */
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

/** What a service answered, in canonical form: its own members and what it never answers are left out. */
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

/** What a service answers that is compared, each under one name. */
const answeredFields = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition)
    .filter(({ facts }) => isCompared(facts) && facts.formOf === undefined)
    .map(asAnswered),
);

/** A property in the spelling in which its service answers it. */
export function asAnswered(field: Field): Field {
  const { answered } = field.facts.spelling ?? {};
  return answered === undefined ? field : { ...field, facts: { ...field.facts, spelling: answered } };
}

/** A model that an earlier version may have written, made canonical again: this version may leave out more members. */
export function canonicalModel(definition: Specified, model: Model): Model {
  const documents = fieldsOf(definition).flatMap(({ name, facts }) => {
    const value = model[name];
    if (value === undefined || facts.document?.empties === undefined) return [];
    return [[name, canonicalDocument(value, facts.document) ?? {}] as const];
  });
  return documents.length === 0 ? model : { ...model, ...Object.fromEntries(documents) };
}

/** A model without what others own by these inputs, which is not compared. */
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

/** The properties of which others may own a part. */
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

/** What of a body belongs to the document that is spread over it. */
const spread = memoByObject((definition: Specified) => {
  const taken = new Set(fieldsOf(definition).map((other) => other.wire));
  return memoByObject((body: { readonly [member: string]: Json }) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !taken.has(name))),
  );
});

/** A wire value by the program's names. Documents keep the wire's own. */
export function decode(field: Field, value: Json | undefined): Json | undefined {
  if (field.children === undefined || !isObject(value)) return value;
  const members: { [name: string]: Json } = {};
  for (const child of field.children) {
    const member = decode(child, value[child.wire]);
    if (member !== undefined) members[child.name] = member;
  }
  return members;
}

/** A program's value by the wire's names, in the spelling in which it travels. */
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

/** One property in canonical form; undefined where nothing was written. */
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

/** What others may add to is a set: an element that is written twice is there once. */
function withoutRepeats(elements: Json[]): Json[] {
  return elements.filter((element, index) => index === 0 || !equalJson(element, elements[index - 1]));
}

/** What a document means by what it leaves out. */
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
