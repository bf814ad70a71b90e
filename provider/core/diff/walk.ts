import type { Field, Specified } from "../language/fields";
import { isManaged, isShown, isSteering } from "../language/role";
import { isObject, type Json, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Path } from "../value/path";
import type { Value } from "../value/unknown";
import { ownFields } from "./forms";

/**
 * How a position is compared, by its facts. *writeOnly*: the service never returns it, so only the program's value is known.
 * *document*: managed as one unit, member by member. *shared*: a list or map that others may add to. *exclusive*: such a
 * list or map, if the program asks for its own elements only. *structure*: an object whose members have their own facts.
 * *value*: compared unchanged.
 */
export type Manner = "writeOnly" | "document" | "shared" | "exclusive" | "structure" | "value";

/** A position in a definition's schema, and the value of each compared model there. */
export interface Position<Name extends string, V extends Value = Value> {
  /** The owner of the facts: a property, in the form that the program writes, or a member of a structure. */
  readonly field: Field;
  readonly manner: Manner;
  readonly path: Path;
  /** The number of path segments that lead to the field. The rest leads into its value. */
  readonly depth: number;
  readonly values: Readonly<Record<Name, V | undefined>>;
}

/** The path from the field to the position, for matching the patterns of a document. */
export function insideOf({ path, depth }: Pick<Position<string>, "path" | "depth">): Path {
  return path.slice(depth);
}

/**
 * The compared properties: those that the program manages and the provider's options, each under the name that records use.
 * The identity is not compared, because another identity is another object.
 * @param inputs the program's inputs: an input may decide if others may add to a property
 * @param forms the form that the program uses for each property with several forms, by the property's name
 */
export function positionsIn<Name extends string, V extends Value>(
  definition: Specified,
  models: Readonly<Record<Name, Readonly<Record<string, V | undefined>>>>,
  inputs: Readonly<Record<string, unknown>> = {},
  forms?: ReadonlyMap<string, Field>,
): Position<Name, V>[] {
  return comparedFields(definition).map((property) => {
    const field = forms?.get(property.name) ?? property;
    const values = mapValues(models, (model) => model[property.name]);
    return positionOf<Name, V>(field, values, inputs);
  });
}

const comparedFields = memoByObject((definition: Specified): readonly Field[] =>
  ownFields(definition).filter(({ facts }) => isManaged(facts) || isSteering(facts)),
);

/** The position of one property. */
export function positionOf<Name extends string, V extends Value>(
  field: Field,
  values: Readonly<Record<Name, V | undefined>>,
  inputs: Readonly<Record<string, unknown>> = {},
): Position<Name, V> {
  return { field, manner: mannerOf(field, inputs), path: [field.name], depth: 1, values };
}

function mannerOf(field: Field, inputs: Readonly<Record<string, unknown>>): Manner {
  const { facts, children } = field;
  if (!isShown(facts)) return "writeOnly";
  if (facts.document) return "document";
  if (facts.additive) return isAdditive(field, inputs) ? "shared" : "exclusive";
  return children ? "structure" : "value";
}

/** The parts of a position: the members that its schema knows, else the members or elements of any model. */
export function partsOf<Name extends string, V extends Value>(
  position: Position<Name, V>,
): Position<Name, V>[] {
  const { field, manner, path, depth, values } = position;
  if (manner !== "structure")
    return segmentsIn(Object.values<V | undefined>(values)).map((segment) => ({
      field,
      manner,
      path: [...path, segment],
      depth,
      values: mapValues(values, (value) => memberOf(value, segment)),
    }));
  return (field.children ?? []).map((child) => ({
    field: child,
    // An input decides only about top-level properties, so members of a structure ignore the inputs.
    manner: mannerOf(child, {}),
    path: [...path, child.name],
    depth: depth + 1,
    values: mapValues(values, (value) => memberOf(value, child.name)),
  }));
}

/** An object with a value for each part of a position, without undefined values. */
export function membersFrom<Name extends string, V extends Value>(
  position: Position<Name, V>,
  valueFor: (part: Position<Name, V>) => Json | undefined,
): { [name: string]: Json } {
  const members = partsOf(position).map((part) => [part.path.at(-1), valueFor(part)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The member names of the objects, each once, or the indexes of the longest list. */
function segmentsIn(values: readonly (Value | undefined)[]): (string | number)[] {
  const longest = Math.max(0, ...values.map((value) => (Array.isArray(value) ? value.length : 0)));
  if (longest > 0) return Array.from({ length: longest }, (_, index) => index);
  return [...new Set(values.flatMap((value) => (isObject(value) ? Object.keys(value) : [])))];
}

/** True if these values contain at least one object, and otherwise only undefined: the members can be compared one by one. */
export function areObjects(...values: readonly (Value | undefined)[]): boolean {
  return values.some(isObject) && values.every((value) => value === undefined || isObject(value));
}

/** A member of an object, or an element of a list. */
export function memberOf<V extends Value>(value: V | undefined, segment: string | number): V | undefined {
  // A member of a value has the same type as the value.
  if (Array.isArray(value))
    return typeof segment === "number" ? (value[segment] as V | undefined) : undefined;
  return isObject(value) ? (ownMember(value, String(segment)) as V | undefined) : undefined;
}

function mapValues<Name extends string, A, B>(
  record: Readonly<Record<Name, A>>,
  each: (value: A) => B,
): Record<Name, B> {
  // A loop, because this runs for every position of every document.
  const result = {} as Record<Name, B>;
  for (const name in record) result[name] = each(record[name]);
  return result;
}

/**
 * True if others may add to a property under these inputs: Quarterdeck then manages only the program's own elements. If the
 * property supports additions but the inputs exclude them, the program asks for exactly its own elements, and updates remove
 * all others.
 */
export function isAdditive({ facts }: Field, inputs: Readonly<Record<string, unknown>>): boolean {
  const { additive } = facts;
  return additive === true || (additive !== undefined && inputs[additive.unless] !== true);
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
