// Queries of the compared models: conflicts, differences, missing values, and changes that took effect.

import type { Field, Specified } from "../language/fields";
import type { Observation, Values } from "../language/object";
import { isCompared, isLink } from "../language/role";
import { isObject, type Json } from "../value/json";
import { isNamed, matches, type Path, valueAt, withMemberAt } from "../value/path";
import { isEmpty, same, sameInDocument } from "../value/scalar";
import { asKnown, type Value } from "../value/unknown";
import { rivalsOf } from "./exclusive";
import { formsIn } from "./forms";
import { type Comparison, type Model, memberFor, modelOfBody, modelOfInputs, restoredValue } from "./models";
import { sameAt } from "./normalize";
import {
  type Change,
  type Difference,
  type Entry,
  entriesIn,
  isBlock,
  managedParts,
  samePresence,
} from "./threeWay";
import { areObjects, elementsOf, insideOf, type Position, partsOf, positionOf, positionsIn } from "./walk";

/**
 * The managed paths that someone else changed between two reads. It omits unmanaged paths, and paths that now have the
 * desired value.
 */
export function conflictsIn(definition: Specified, comparison: Comparison, current: Model): Difference[] {
  const managed = rivalsOf(definition)?.emptied(comparison, current) ?? comparison;
  return entriesIn(definition, managed, current).flatMap(conflictsAt);
}

function conflictsAt(entry: Entry): Difference[] {
  const { field, manner, values } = entry;
  const { lastApplied, desired, observed, current } = values;
  if (manner === "writeOnly") return [];
  if (manner === "document") return documentConflicts(entry);
  // A dropped property without a value to restore is unmanaged from now on: it stays as others set it.
  if (desired === undefined && field.facts.notRestored) return [];
  if (manner === "structure" && isEmpty(observed) === isEmpty(current)) {
    if (desired !== undefined) return managedParts(entry).flatMap(conflictsAt);
    // An update that drops a structure restores all its members, regardless of their author.
    return partsOf({ ...entry, values: { ...values, desired: restoredValue(field) } }).flatMap(conflictsAt);
  }
  if (manner === "shared") {
    // Only elements that the program writes or wrote are managed, so only they are reported.
    const keys = new Set([...elementsOf(lastApplied).keys(), ...elementsOf(desired).keys()]);
    return conflict(entry, same, {
      base: onlyElements(keys, observed),
      ours: onlyElements(keys, desired),
      theirs: onlyElements(keys, current),
    });
  }
  return conflict(entry, same, { base: observed, ours: desired ?? restoredValue(field), theirs: current });
}

function onlyElements(keys: ReadonlySet<string>, value: Value | undefined): Value {
  const managed = [...elementsOf(value)].filter(([key]) => keys.has(key));
  return isObject(value) ? Object.fromEntries(managed) : managed.map(([, element]) => element);
}

function documentConflicts(entry: Entry): Difference[] {
  const { field, values } = entry;
  const { lastApplied, desired, baseline, observed, current } = values;
  // If the program drops an object and someone else has already removed it, no write is needed.
  const isDeleted = isObject(lastApplied) && desired === undefined && current === undefined;
  if (isDeleted || sameInDocument(observed, current)) return [];
  const isEntered = areObjects(desired, observed, current);
  const inside = isEntered ? partsOf(entry).flatMap(conflictsAt) : [];
  if (inside.length > 0 || (isEntered && !isBlock(entry))) return inside;
  // What the program never wrote is to stay as it was after our last write, unless the document is managed exactly.
  const isKept = lastApplied === undefined && !field.facts.document?.exact;
  const ours = desired ?? (isKept ? baseline : undefined);
  return conflict(entry, isEntered ? samePresence : sameInDocument, {
    base: observed,
    ours,
    theirs: current,
  });
}

/** A conflict, if someone else changed the value, and not to the program's value. */
function conflict(
  { path, field }: Entry,
  isEqual: typeof same,
  values: Pick<Difference, "base" | "ours" | "theirs">,
): Difference[] {
  const { base, ours, theirs } = values;
  return isEqual(base, theirs) || isEqual(ours, theirs) ? [] : [{ path, field, ...values }];
}

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
  return positionsIn(definition, { ours, theirs }, {}, forms).flatMap(differencesAt);
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
  const written = modelOfInputs(definition, inputs);
  const ours = rivalsOf(definition)?.emptiedIn(written, theirs) ?? written;
  const positions = positionsIn(definition, { ours, theirs }, inputs, formsIn(definition, inputs));
  return positions.flatMap((position) => {
    if (position.manner === "writeOnly" || isLink(position.field.facts)) return [];
    const isOthers = controlledByOthers(definition, position.field, current);
    return missingAt(position).filter(({ path }) => !isOthers(path));
  });
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
function controlledByOthers(
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
    (changed, { path, to }) => withMemberAt(changed, path, to === undefined ? undefined : asKnown(to)),
    model,
  );
}
