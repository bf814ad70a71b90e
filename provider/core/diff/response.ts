// The response to a write of ours: the expected one, and the effect that the actual one shows.

import { fieldNamed } from "../language/fields";
import type { Address, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isLink } from "../language/role";
import { same, sameInDocument } from "../value/equality";
import { equalJson, isObject, type Json } from "../value/json";
import { lookUp, type Path, valueAt } from "../value/path";
import { known } from "../value/unknown";
import type { Change } from "./changes";
import { differencesIn, elementsOf } from "./comparison";
import { isAdditive, isDeepEmpty, sameAt } from "./entries";
import { computedNextTo, withRivalsEmptiedIn } from "./exclusive";
import { type Model, modelOfInputs } from "./model";
import type { Movement } from "./movements";
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
    isDeepEmpty(field, answer, inside) ||
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

/** The effect of a write, judged by the complete object in its response. */
export interface Judgement {
  /** Values that the write sent and that did not change: the service ignored them. */
  readonly notTaken: readonly Movement[];
  /** Values that the write sent and that came back as a third value: the service normalised them. */
  readonly normalised: readonly Movement[];
  /** Side effects: values that the write did not send and that changed anyway. */
  readonly movedAlong: readonly Movement[];
}

/** The object just before an update, and in the update's response. */
interface UpdateModels {
  readonly before: Model;
  readonly answered: Model;
}

/**
 * Judges an update by its own response.
 * @param sent the update's body, by wire names
 */
export function judged(
  definition: Definition,
  inputs: Values,
  changes: readonly Change[],
  { sent, before, answered }: UpdateModels & { readonly sent: { readonly [member: string]: Json } },
): Judgement {
  const computed = computedNextTo(definition, inputs);
  const isOurs = ({ path }: Pick<Change, "path">) => !computed.includes(path.join("."));
  const written = changes.filter(isOurs).filter(({ path: [name], field: { facts } }) => {
    const property = fieldNamed(definition, name);
    return property !== undefined && property.wire in sent && !facts.writeOnly;
  });
  const others = written.flatMap((change) => otherwise(change, inputs, { before, answered }));
  const names = new Set(changes.map(({ path }) => path[0]));
  return {
    notTaken: others.filter(({ field, path, base, theirs }) => sameAt(field, path, base, theirs)),
    normalised: others.filter(({ field, path, base, theirs }) => !sameAt(field, path, base, theirs)),
    movedAlong: differencesIn(definition, before, answered)
      .filter(isOurs)
      .filter(({ path, field: { facts } }) => !names.has(path[0]) && !isLink(facts))
      .map(({ path, field, from, to }) => ({ path, field, base: from, ours: from, theirs: to })),
  };
}

/** The differences between the response and the values that this change wrote. */
function otherwise(
  { path, field, to }: Change,
  inputs: Values,
  { before, answered }: UpdateModels,
): Movement[] {
  const movement = (at: Path, ours: Json | undefined): Movement => ({
    path: at,
    field,
    base: valueAt(before, at),
    ours,
    theirs: valueAt(answered, at),
  });
  const wanted = to === undefined ? undefined : known(to);
  if (isAdditive(field, inputs)) {
    const there = elementsOf(valueAt(answered, path));
    const isThere = [...elementsOf(wanted)].every(
      ([key, value]) => there.has(key) && same(there.get(key), value),
    );
    return isThere ? [] : [movement(path, wanted)];
  }
  return namedIn(path, wanted)
    .map(([at, ours]) => movement(at, ours))
    .filter(({ path: at, ours, theirs }) => !sameAt(field, at, ours, theirs));
}

/** The leaves of a written value. Anyone may own the members that it does not name. */
function namedIn(path: Path, value: Json | undefined): [Path, Json | undefined][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => namedIn([...path, name], member));
}
