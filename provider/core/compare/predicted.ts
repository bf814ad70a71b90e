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
 * What the service should answer to a write of these inputs: the program's values where it gave any, what the
 * service had already added before, and, where nobody manages anything, whatever it answers.
 * @param address of the object, which the service may put in
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
      // What others may add to tells nothing of our write; a link's write is no part of it.
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
    // What came back as it was written is not looked into.
    if (sameInDocument(wanted, answer)) return false;
    if (Array.isArray(wanted) && Array.isArray(answer)) return wanted.length === answer.length;
    return isObject(answer) && (wanted === undefined || isObject(wanted));
  },
  whole(position) {
    const { wanted, answer } = position.values;
    if (wanted !== undefined) return wanted;
    // Members that the program does not write are anybody's, but for those of a document.
    return position.manner !== "document" || isTheServices(position, address) ? answer : undefined;
  },
  parts(position, results) {
    const { wanted } = position.values;
    // A list without keys is compared by position: what the service adds inside an element is explained like a member.
    if (Array.isArray(wanted)) return wanted.map((element, index) => results[index]?.result ?? element);
    const members = withMembers(results);
    const isNothing = wanted === undefined && Object.keys(members).length === 0;
    return isNothing && !isTheServices(position, address) ? undefined : members;
  },
});

/** Whether the service itself put in what the program did not write: it is known to, it says nothing, or it was there before. */
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

/** An object of the answers for its members that came to something. */
export function withMembers(results: readonly PartResult<Predicted>[]): { [name: string]: Json } {
  return Object.fromEntries(
    results.flatMap(({ segment, result }) => (result === undefined ? [] : [[segment, result] as const])),
  );
}

/**
 * Where a canonical path into a document stands in what a program wrote: under the program's names, elements of keyed
 * lists by their numbers, as the program's own marks name them.
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
 * A document as a person would write it who wants what it says: without the members that say what leaving them out comes
 * to, what the service is known to put in by itself, and the blocks in which nothing is left then.
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
