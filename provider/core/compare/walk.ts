import type { Field } from "../language/fields";
import { isManaged, isShown, isSteering } from "../language/role";
import type { Specified } from "../language/specified";
import { isObject, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Path } from "../value/path";
import type { Value } from "../value/unknown";
import { isAdditive } from "./additive";
import { ownFields } from "./forms";

/**
 * How a place is compared, by its facts. *unseen*: the service never shows it, so only what the program wrote is known.
 * *document*: managed whole, member by member. *shared*: a list or map to which others may add. *exclusive*: the same,
 * where the program asks for its own alone. *structure*: an object whose members have facts of their own. *value*: what
 * is compared as it is.
 */
export type Manner = "writeOnly" | "document" | "shared" | "exclusive" | "structure" | "value";

/** One place of a definition's schema, and what each of the models that are compared holds there. */
export interface Place<Name extends string, V extends Value = Value> {
  /** The property, in the form in which a program writes it, or the member of a structure: whose facts hold here. */
  readonly field: Field;
  readonly manner: Manner;
  readonly path: Path;
  /** How much of the path leads to what has the facts. */
  readonly depth: number;
  readonly values: Readonly<Record<Name, V | undefined>>;
}

/** The way to a place from what has its facts: by this path the patterns of a document name its members. */
export function insideOf({ path, depth }: Pick<Place<string>, "path" | "depth">): Path {
  return path.slice(depth);
}

/** What is asked of the places of a schema. */
export interface Question<Name extends string, Answer, V extends Value = Value> {
  /** Whether a place is asked part by part; else it is asked as a whole. */
  enters(place: Place<Name, V>): boolean;
  whole(place: Place<Name, V>): Answer;
  /** The answer for a place by those for its parts. */
  parts(place: Place<Name, V>, answers: readonly PartAnswer<Answer>[]): Answer;
}

export interface PartAnswer<Answer> {
  readonly segment: string | number;
  readonly answer: Answer;
}

/** Asks a place, and what is inside of it as deep as the question goes. */
export function ask<Name extends string, Answer, V extends Value>(
  question: Question<Name, Answer, V>,
  place: Place<Name, V>,
): Answer {
  if (!question.enters(place)) return question.whole(place);
  const answers = partsOf(place).map((part) => ({
    segment: part.path.at(-1) ?? "",
    answer: ask(question, part),
  }));
  return question.parts(place, answers);
}

/** Models by their names, and what says how they are compared. */
export interface Compared<Name extends string, V extends Value> {
  readonly models: Readonly<Record<Name, Readonly<Record<string, V | undefined>>>>;
  /** What the program writes, on which it may depend whether others may add to a property. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** The forms in which the program writes properties that have several, by the names of the properties. */
  readonly forms?: ReadonlyMap<string, Field> | undefined;
}

/**
 * The properties that are compared: what the program manages or steers with, each under the one name under which it is
 * recorded. The parts of the identity are no part of it (another one is another object), nor is what only the service sets.
 */
export function placesIn<Name extends string, V extends Value>(
  definition: Specified,
  { models, inputs = {}, forms }: Compared<Name, V>,
): Place<Name, V>[] {
  return comparedFields(definition).map((property) => {
    const field = forms?.get(property.name) ?? property;
    const values = mapped(models, (model) => model[property.name]);
    return placeOf<Name, V>(field, values, inputs);
  });
}

const comparedFields = memoByObject((definition: Specified): readonly Field[] =>
  ownFields(definition).filter(({ facts }) => isManaged(facts) || isSteering(facts)),
);

/** A place by itself, for a question about one property. */
export function placeOf<Name extends string, V extends Value>(
  field: Field,
  values: Readonly<Record<Name, V | undefined>>,
  inputs: Readonly<Record<string, unknown>> = {},
): Place<Name, V> {
  return { field, manner: mannerOf(field, inputs), path: [field.name], depth: 1, values };
}

function mannerOf(field: Field, inputs: Readonly<Record<string, unknown>>): Manner {
  const { facts, children } = field;
  if (!isShown(facts)) return "writeOnly";
  if (facts.document) return "document";
  if (facts.additive) return isAdditive(field, inputs) ? "shared" : "exclusive";
  return children ? "structure" : "value";
}

/** What is inside of a place: the members that its schema knows, else those, or the elements, that any model holds. */
function partsOf<Name extends string, V extends Value>(place: Place<Name, V>): Place<Name, V>[] {
  const { field, manner, path, depth, values } = place;
  if (manner !== "structure")
    return segmentsIn(Object.values<V | undefined>(values)).map((segment) => ({
      field,
      manner,
      path: [...path, segment],
      depth,
      values: mapped(values, (value) => memberOf(value, segment)),
    }));
  return (field.children ?? []).map((child) => ({
    field: child,
    // Nothing inside of a structure is additive by what the program writes elsewhere.
    manner: mannerOf(child, {}),
    path: [...path, child.name],
    depth: depth + 1,
    values: mapped(values, (value) => memberOf(value, child.name)),
  }));
}

/** The members of objects, each once, or the numbers of the longest list. */
function segmentsIn(values: readonly (Value | undefined)[]): (string | number)[] {
  const longest = Math.max(0, ...values.map((value) => (Array.isArray(value) ? value.length : 0)));
  if (longest > 0) return Array.from({ length: longest }, (_, index) => index);
  return [...new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])))];
}

/** Whether there is an object among these, and nothing else: the members can be compared one by one. */
export function areObjects(...values: readonly (Value | undefined)[]): boolean {
  return values.some(isObject) && values.every((value) => value === undefined || isObject(value));
}

/** A member of an object, or an element of a list. */
export function memberOf<V extends Value>(value: V | undefined, segment: string | number): V | undefined {
  // What stands in a value is a value of the same kind.
  if (Array.isArray(value))
    return typeof segment === "number" ? (value[segment] as V | undefined) : undefined;
  return isObject(value) ? (ownMember(value, String(segment)) as V | undefined) : undefined;
}

function mapped<Name extends string, A, B>(
  record: Readonly<Record<Name, A>>,
  each: (value: A) => B,
): Record<Name, B> {
  // The same names, each with its new value. Every place of a document comes by here.
  const result = {} as Record<Name, B>;
  for (const name in record) result[name] = each(record[name]);
  return result;
}
