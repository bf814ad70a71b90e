import type { DocumentFacts } from "../language/facts";
import { fieldNamed, type Specified } from "../language/fields";
import type { Address, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isLink } from "../language/role";
import { isEmpty, sameInDocument } from "../value/equality";
import { equalJson, isObject, type Json } from "../value/json";
import { isNamed, lookUp, type Path, type Pattern } from "../value/path";
import { canonicalValue } from "../value/spelling";
import type { Inputs } from "../value/unknown";
import { elementsAt, saysNothing } from "./document";
import { countsWhenEmpty, isHollow } from "./entries";
import { withRivalsEmptiedIn } from "./exclusive";
import { recordedAs } from "./forms";
import { type Model, modelOfInputs } from "./model";
import { insideOf, type PartResult, type Position, positionsIn, type Visitor, visit } from "./walk";

type Predicted = Json | undefined;

/**
 * The expected response to a write of these inputs: the program's values, the values that the service had already added, and
 * the actual response for everything unmanaged.
 * @param address the object's address, which the service may use to fill members
 */
export function predicted(
  definition: Definition,
  inputs: Values,
  before: Model,
  answer: Model,
  address: Address = {},
): Model {
  const wanted = withRivalsEmptiedIn(definition, modelOfInputs(definition, inputs), answer);
  const places = positionsIn(definition, { models: { wanted, before, answer }, inputs }).filter(
    ({ manner, field, values }) =>
      values.wanted !== undefined &&
      manner !== "writeOnly" &&
      // Additive lists and maps prove nothing about our write, and a link has a write of its own.
      manner !== "shared" &&
      !isLink(field.facts),
  );
  const prediction = predictionIn(address);
  return {
    ...answer,
    ...Object.fromEntries(places.map((position) => [position.field.name, visit(prediction, position)])),
  };
}

type PredictionModel = "wanted" | "before" | "answer";

const predictionIn = (address: Address): Visitor<PredictionModel, Predicted, Json> => ({
  enters({ manner, values: { wanted, answer } }) {
    if (manner !== "document") return isObject(wanted) && isObject(answer);
    // The response equals the written value: do not compare its members.
    if (sameInDocument(wanted, answer)) return false;
    if (Array.isArray(wanted) && Array.isArray(answer)) return wanted.length === answer.length;
    return isObject(answer) && (wanted === undefined || isObject(wanted));
  },
  whole(position) {
    const { wanted, answer } = position.values;
    if (wanted !== undefined) return wanted;
    // Anyone may own members that the program does not write, except in a document.
    return position.manner !== "document" || isTheServices(position, address) ? answer : undefined;
  },
  parts(position, results) {
    const { wanted } = position.values;
    // A list without keys is compared by position. Additions by the service inside an element are explained like members.
    if (Array.isArray(wanted)) return wanted.map((element, index) => results[index]?.result ?? element);
    const members = withMembers(results);
    const isNothing = wanted === undefined && Object.keys(members).length === 0;
    return isNothing && !isTheServices(position, address) ? undefined : members;
  },
});

/**
 * True if the service itself added a value that the program did not write: a known default, an empty value, or a value that
 * existed before.
 */
function isTheServices(
  { field, path, depth, values: { before, answer } }: Position<PredictionModel, Json>,
  address: Address,
): boolean {
  const { serverDefaults, inherited } = field.facts.document ?? {};
  const inside = insideOf({ path, depth });
  const own = address[lookUp(inherited, inside) ?? ""];
  return (
    isHollow(field, answer, inside) ||
    sameInDocument(lookUp(serverDefaults, inside), answer) ||
    (own !== undefined && own === answer) ||
    equalJson(before ?? null, answer ?? null)
  );
}

/** An object with the results of its members, without undefined ones. */
export function withMembers(results: readonly PartResult<Predicted>[]): { [name: string]: Json } {
  return Object.fromEntries(
    results.flatMap(({ segment, result }) => (result === undefined ? [] : [[segment, result] as const])),
  );
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
