// The response to a write of ours: the expected one, and the effect that the actual one shows.

import { fieldNamed, type Specified } from "../language/fields";
import type { Address, Observation, Values } from "../language/object";
import { isLink } from "../language/role";
import { equalJson, isObject, type Json } from "../value/json";
import { lookUp, type Path, valueAt } from "../value/path";
import { same, sameInDocument } from "../value/scalar";
import { asKnown } from "../value/unknown";
import { rivalsOf } from "./exclusive";
import { formsIn } from "./forms";
import { type Model, modelOfBody, modelOfInputs, restoredValue } from "./models";
import { isDeepEmpty, sameAt } from "./normalize";
import { differencesIn, missingIn } from "./queries";
import type { Change, Difference } from "./threeWay";
import { elementsOf, insideOf, isAdditive, membersFrom, type Position, partsOf, positionsIn } from "./walk";

type Written = Position<"wanted" | "before" | "answer", Json>;

/**
 * The expected response to a write of these inputs: the program's values, the values that the service had already added, and
 * the actual response for everything unmanaged.
 * @param address the object's address, which the service may use to fill members
 */
export function predict(
  definition: Specified,
  inputs: Values,
  before: Model,
  answer: Model,
  address: Address = {},
): Model {
  const program = modelOfInputs(definition, inputs);
  const wanted = rivalsOf(definition)?.emptiedIn(program, answer) ?? program;
  const written = positionsIn(definition, { wanted, before, answer }, inputs).filter(
    ({ manner, field, values }) =>
      values.wanted !== undefined &&
      manner !== "writeOnly" &&
      // Additive lists and maps prove nothing about our write, and a link has a write of its own.
      manner !== "shared" &&
      !isLink(field.facts),
  );
  const expected = written.map((position) => [position.field.name, predictAt(position, address)] as const);
  return { ...answer, ...Object.fromEntries(expected) };
}

function predictAt(position: Written, address: Address): Json | undefined {
  const { manner, values } = position;
  const { wanted, answer } = values;
  const isDocument = manner === "document";
  // The response equals the written value: do not compare its members.
  if (isDocument && sameInDocument(wanted, answer)) return wanted;
  // A list without keys is compared by position. Additions by the service inside an element are explained like members.
  if (isDocument && Array.isArray(wanted) && Array.isArray(answer) && wanted.length === answer.length) {
    const expected = partsOf(position).map((part) => predictAt(part, address));
    // The earlier list may be longer.
    return wanted.map((element, index) => expected[index] ?? element);
  }
  if (isObject(answer) && (isObject(wanted) || (isDocument && wanted === undefined))) {
    const members = membersFrom(position, (part) => predictAt(part, address));
    const isNothing = wanted === undefined && Object.keys(members).length === 0;
    return isNothing && !isFromService(position, address) ? undefined : members;
  }
  if (wanted !== undefined) return wanted;
  // Anyone may own members that the program does not write, except in a document.
  return !isDocument || isFromService(position, address) ? answer : undefined;
}

/**
 * True if the service itself added a value that the program did not write: a known default, an empty value, or a value that
 * existed before.
 */
function isFromService(position: Written, address: Address): boolean {
  const { field, values } = position;
  const { before, answer } = values;
  const { serverDefaults, inherited } = field.facts.document ?? {};
  const inside = insideOf(position);
  const own = address[lookUp(inherited, inside) ?? ""];
  return (
    isDeepEmpty(field, answer, inside) ||
    sameInDocument(lookUp(serverDefaults, inside), answer) ||
    (own !== undefined && own === answer) ||
    equalJson(before ?? null, answer ?? null)
  );
}

/** The expected result of a write, and the differences from it that the service or someone else has caused. */
export interface Prediction {
  readonly expected: Model;
  readonly unexplained: readonly Difference<Json>[];
}

/**
 * Compares an object with the expected result of a write.
 * @param baseline the baseline before the write
 */
export function compareWithPrediction(
  definition: Specified,
  inputs: Values,
  baseline: Model,
  { body, address }: Observation,
): Prediction {
  const seen = modelOfBody(definition, body, inputs);
  const expected = predict(definition, inputs, baseline, seen, address);
  const unexplained = differencesIn(definition, expected, seen, formsIn(definition, inputs));
  return { expected, unexplained: unexplained.filter(isVisible) };
}

/** A service may omit what is empty, or show it. Neither proves another writer. */
export function isVisible({ field, path, ours, theirs }: Difference): boolean {
  const inside = path.slice(1);
  return !isDeepEmpty(field, ours, inside) || !isDeepEmpty(field, theirs, inside);
}

/** The effect of a write, judged by the complete object in its response. */
interface Judgment {
  /** Values that the write sent and that did not change: the service ignored them. */
  readonly ignored: readonly Difference[];
  /** Values that the write sent and that came back as a third value: the service normalized them. */
  readonly normalized: readonly Difference[];
  /** Values that the write did not send and that changed anyway. */
  readonly sideEffects: readonly Difference[];
}

/** An update: its body, by wire names, and the object just before it and in its response. */
interface Update {
  readonly sent: { readonly [member: string]: Json };
  readonly before: Model;
  readonly answered: Model;
  /** True if the write contained a flag that resets properties, and the response does not show it. */
  readonly isResetUnseen: boolean;
}

/** Judges an update by its own response. */
export function judge(
  definition: Specified,
  inputs: Values,
  changes: readonly Change[],
  update: Update,
): Judgment {
  const { sent, before, answered, isResetUnseen } = update;
  const computed = rivalsOf(definition)?.computed(inputs) ?? [];
  const isOurs = ({ path }: Pick<Change, "path">) => !computed.includes(path.join("."));
  const written = changes.filter(isOurs).filter(({ path, field, to }) => {
    const property = fieldNamed(definition, path[0]);
    const isNotReset =
      isResetUnseen &&
      to === undefined &&
      sameAt(field, path, valueAt(before, path), valueAt(answered, path));
    return property !== undefined && (property.wire in sent || isNotReset) && !field.facts.writeOnly;
  });
  // A value that the program dropped is gone in a response without it, too: an older server has no such member.
  const isGone = ({ path: [name], theirs }: Difference) =>
    theirs === undefined && name !== undefined && inputs[name] === undefined;
  const others = written
    .flatMap((change) => unexpectedDifferences(change, inputs, update))
    .filter((difference) => !isGone(difference));
  const isUnchanged = ({ field, path, base, theirs }: Difference) => sameAt(field, path, base, theirs);
  const names = new Set(changes.map(({ path }) => path[0]));
  return {
    ignored: others.filter(isUnchanged),
    normalized: others.filter((difference) => !isUnchanged(difference)),
    sideEffects: differencesIn(definition, before, answered)
      .filter(isOurs)
      .filter(({ path, field: { facts } }) => !names.has(path[0]) && !isLink(facts)),
  };
}

/**
 * Judges a create by its own response. A value was ignored if the response does not show it, or shows the default. An immutable
 * value counts as normalized, because no update could write it.
 */
export function judgeCreate(definition: Specified, inputs: Values, answered: Observation): Judgment {
  const missing = missingIn(definition, inputs, answered);
  const isIgnored = ({ field, path, theirs }: Difference) =>
    !fieldNamed(definition, path[0])?.facts.immutable &&
    (theirs === undefined || sameAt(field, path, restoredValue(field), theirs));
  return {
    ignored: missing.filter(isIgnored),
    normalized: missing.filter((difference) => !isIgnored(difference)),
    sideEffects: [],
  };
}

/** The differences between the response and the values that this change wrote. */
function unexpectedDifferences(
  { path, field, to }: Change,
  inputs: Values,
  { before, answered }: Update,
): Difference[] {
  const wanted = to === undefined ? undefined : asKnown(to);
  const differenceAt = (at: Path, ours: Json | undefined): Difference => {
    return { path: at, field, base: valueAt(before, at), ours, theirs: valueAt(answered, at) };
  };
  if (!isAdditive(field, inputs))
    return leavesOf(path, wanted)
      .map(([at, ours]) => differenceAt(at, ours))
      .filter(({ path: at, ours, theirs }) => !sameAt(field, at, ours, theirs));
  const there = elementsOf(valueAt(answered, path));
  const isThere = [...elementsOf(wanted)].every(
    ([key, value]) => there.has(key) && same(there.get(key), value),
  );
  return isThere ? [] : [differenceAt(path, wanted)];
}

/** The leaves of a written value. Anyone may own the members that it does not name. */
function leavesOf(path: Path, value: Json | undefined): [Path, Json | undefined][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf([...path, name], member));
}
