import type { Address, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isLink } from "../language/role";
import { sameInDocument } from "../value/equality";
import { equalJson, isObject, type Json } from "../value/json";
import { lookUp } from "../value/path";
import { isHollow } from "./entries";
import { withRivalsEmptiedIn } from "./exclusive";
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
