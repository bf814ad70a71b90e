// Comparisons of two models, and queries about changes.

import type { Field, Specified } from "../language/fields";
import type { Observation, Values } from "../language/object";
import { isCompared, isLink } from "../language/role";
import { isEmpty, same, sameInDocument } from "../value/equality";
import { isObject, type Json } from "../value/json";
import { isNamed, matches, type Path, valueAt, withMemberAt } from "../value/path";
import { known } from "../value/unknown";
import { withRivalsEmptiedIn } from "./exclusive";
import { formsIn } from "./forms";
import { type Model, memberFor, modelOfBody, modelOfInputs } from "./models";
import { sameAt } from "./normalize";
import type { Change, Difference } from "./threeWay";
import { insideOf, type Position, partsOf, positionOf, positionsIn } from "./walk";

type Compared = Position<"ours" | "theirs", Json>;

function differenceAt({ path, field, values: { ours, theirs } }: Compared): Difference<Json> {
  return { path, field, base: ours, ours, theirs };
}

/** The differences between two models of an object, regardless of their owner. */
export function differencesIn(
  definition: Specified,
  ours: Model,
  theirs: Model,
  forms?: ReadonlyMap<string, Field>,
): Difference<Json>[] {
  return positionsIn(definition, { models: { ours, theirs }, forms }).flatMap(differencesAt);
}

/** The differences between two values of a property. */
export function differencesOf(
  field: Field,
  ours: Json | undefined,
  theirs: Json | undefined,
): Difference<Json>[] {
  return differencesAt(positionOf(field, { ours, theirs }));
}

function differencesAt(position: Compared): Difference<Json>[] {
  const { ours, theirs } = position.values;
  // Equal values are not compared member by member: only a few members of thousands differ.
  if (sameInDocument(ours, theirs)) return [];
  if (isObject(ours) && isObject(theirs)) return partsOf(position).flatMap(differencesAt);
  return [differenceAt(position)];
}

/** The program's values that an object does not contain, under the names that the program uses. */
export function missingIn(definition: Specified, inputs: Values, current: Observation): Difference<Json>[] {
  const theirs = modelOfBody(definition, current.body, inputs);
  const ours = withRivalsEmptiedIn(definition, modelOfInputs(definition, inputs), theirs);
  const models = { ours, theirs };
  return positionsIn(definition, { models, inputs, forms: formsIn(definition, inputs) }).flatMap(
    (position) => {
      if (position.manner === "writeOnly" || isLink(position.field.facts)) return [];
      const isOthers = controlledByOthers(definition, position.field, current);
      return missingAt(position).filter(({ path }) => !isOthers(path));
    },
  );
}

function missingAt(position: Compared): Difference<Json>[] {
  const { field, path, manner, values } = position;
  const { ours, theirs } = values;
  if (ours === undefined || manner === "writeOnly") return [];
  const areLists = Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length;
  if (areLists || (isObject(ours) && isObject(theirs))) return partsOf(position).flatMap(missingAt);
  const { blocks, dropped } = field.facts.document ?? {};
  const isBlock = theirs === undefined && isObject(ours) && isNamed(blocks, insideOf(position));
  const isThere = isBlock
    ? isNamed(dropped, insideOf(position)) && isZero(ours)
    : sameAt(field, path, ours, theirs);
  return isThere ? [] : [differenceAt(position)];
}

function isZero(value: Json | undefined): boolean {
  if (isObject(value)) return Object.values(value).every(isZero);
  return value === false || value === 0 || isEmpty(value);
}

/**
 * Tests for paths in a document that the program does not control: members that others change, and members that the service
 * copies to nested objects.
 */
export function controlledByOthers(
  definition: Specified,
  field: Field,
  { body }: Observation,
): (path: Path) => boolean {
  const { document } = field.facts;
  const floating = document?.floats?.(memberFor(definition, field, body) ?? null) ?? [];
  const patterns = [...floating, ...(document?.handedDown ?? [])];
  return (path) => patterns.some((pattern) => matches(pattern, path.slice(1), true));
}

/**
 * The changes whose values the service now has: they belong to a write that the service applied late, regardless of other
 * users' changes.
 */
export function changesShown(now: Model, changes: readonly Change[]): Change[] {
  return changes.filter(({ path, field: { facts }, from, to }) => {
    const isEqual = facts.document ? sameInDocument : same;
    const value = valueAt(now, path);
    return isCompared(facts) && isEqual(value, to) && !isEqual(value, from);
  });
}

/** A model with these changes applied. Their values were written, so each is known. */
export function withChanges(model: Model, changes: readonly Pick<Change, "path" | "to">[]): Model {
  return changes.reduce<Model>(
    (changed, { path, to }) => withMemberAt(changed, path, to === undefined ? undefined : known(to)),
    model,
  );
}
