import type { Field } from "../language/fields";
import type { Definition } from "../language/resource";
import { isCompared } from "../language/role";
import { isEmpty, same, sameInDocument } from "../value/equality";
import { isObject, type Json, ownMember } from "../value/json";
import { type Path, valueAt } from "../value/path";
import { known, type Value } from "../value/unknown";
import type { Change } from "./changes";
import { type ComparedModel, type Comparison, elementsOf, isUnmanaged, restoredValue } from "./comparison";
import { countsWhenEmpty } from "./entries";
import { withRivalsEmptied } from "./exclusive";
import type { Model } from "./model";
import { areObjects, insideOf, type Position, positionsIn, type Visitor, visit } from "./walk";

/** One managed path that someone else changed between two reads. */
export interface Movement {
  readonly path: Path;
  readonly field: Field;
  readonly base: Value | undefined;
  readonly theirs: Value | undefined;
  readonly ours: Value | undefined;
}

type At = Position<ComparedModel | "current">;

/**
 * The managed paths that someone else changed between two reads. It omits unmanaged paths, and paths that now have the
 * desired value.
 */
export function movementsIn(definition: Definition, comparison: Comparison, current: Model): Movement[] {
  const { observed, desired, lastApplied, baseline, forms } = withRivalsEmptied(
    definition,
    comparison,
    current,
  );
  const models = { observed: observed, current, desired, lastApplied: lastApplied, baseline: baseline };
  return positionsIn(definition, { models, inputs: desired, forms }).flatMap((position) =>
    visit(moved, position),
  );
}

const moved: Visitor<ComparedModel | "current", Movement[]> = {
  enters(position) {
    const { manner, values } = position;
    const { lastApplied, desired, observed, current } = values;
    if (isUnmanaged(position)) return false;
    if (manner === "structure") return isEmpty(observed) === isEmpty(current);
    // If the program drops an object and someone else has already removed it, no write is needed.
    const isRid = isObject(lastApplied) && desired === undefined && current === undefined;
    return manner === "document" && !isRid && areObjects(desired, observed, current);
  },
  whole(position) {
    const { manner, values } = position;
    if (isUnmanaged(position) || manner === "writeOnly") return [];
    if (manner === "document") return inDocument(position);
    if (manner === "shared") return inShared(position);
    const { desired, observed, current } = values;
    // A dropped property without a value to restore is unmanaged from now on: it stays as others set it.
    if (desired === undefined && position.field.facts.notRestored) return [];
    const ours = desired === undefined ? restoredValue(position.field) : desired;
    return same(observed, current) || same(ours, current)
      ? []
      : [movement(position, observed, ours, current)];
  },
  parts(position, results) {
    const inside = results.flatMap(({ result }) => result);
    const { document } = position.field.facts;
    const isBlock = document !== undefined && countsWhenEmpty(document, insideOf(position));
    return inside.length === 0 && isBlock ? inBlock(position) : inside;
  },
};

/** Only elements that the program writes or wrote are managed in an additive list or map, so only they are reported. */
function inShared(position: At): Movement[] {
  const { lastApplied, desired, observed, current } = position.values;
  const managed = new Set([...elementsOf(lastApplied).keys(), ...elementsOf(desired).keys()]);
  const base = only(managed, observed);
  const ours = only(managed, desired);
  const theirs = only(managed, current);
  return same(base, theirs) || same(ours, theirs) ? [] : [movement(position, base, ours, theirs)];
}

/** A list or map with only these elements. */
function only(keys: ReadonlySet<string>, value: Value | undefined): Value | undefined {
  const managed = [...elementsOf(value)].filter(([key]) => keys.has(key));
  return isObject(value) ? Object.fromEntries(managed) : managed.map(([, element]) => element);
}

/** The presence of a block or of a user's entry counts: it is a movement if nothing inside it differs. */
function inBlock(position: At): Movement[] {
  const { observed, current } = position.values;
  const ours = wantedIn(position);
  const isMoved = isObject(observed) !== isObject(current) && isObject(ours) !== isObject(current);
  return isMoved ? [movement(position, observed, ours, current)] : [];
}

/** The desired value at a position in a document; the baseline if the program never wrote it. */
function wantedIn({ values: { lastApplied, desired, baseline } }: At): Value | undefined {
  return desired ?? (lastApplied === undefined ? baseline : undefined);
}

function inDocument(position: At): Movement[] {
  const { lastApplied, desired, observed, current } = position.values;
  const isRid = isObject(lastApplied) && desired === undefined && current === undefined;
  if (isRid || sameInDocument(observed, current)) return [];
  const ours = wantedIn(position);
  return sameInDocument(ours, current) ? [] : [movement(position, observed, ours, current)];
}

function movement(
  { path, field }: At,
  base: Value | undefined,
  ours: Value | undefined,
  theirs: Value | undefined,
): Movement {
  return { path, field, base, ours, theirs };
}

/**
 * The changes whose values the service now has: they belong to a write that the service applied late, regardless of other
 * users' changes.
 */
export function changesThatHold(now: Model, changes: readonly Change[]): Change[] {
  return changes.filter(({ path, field: { facts }, from, to }) => {
    if (!isCompared(facts)) return false;
    const equal = facts.document ? sameInDocument : same;
    const there = valueAt(now, path);
    return equal(there, to) && !equal(there, from);
  });
}

/** A model with these changes applied. Their values were written, so each is known. */
export function withChanges(model: Model, changes: readonly Change[]): Model {
  const made: Record<string, Json | undefined> = { ...model };
  for (const { path, to } of changes) {
    const [name = "", ...inside] = path;
    made[name] = withAt(made[String(name)], inside, to === undefined ? undefined : known(to));
  }
  return made;
}

function withAt(value: Json | undefined, path: Path, to: Json | undefined): Json | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return to;
  const { [segment]: _, ...others } = isObject(value) ? value : {};
  const inside = withAt(isObject(value) ? ownMember(value, String(segment)) : undefined, rest, to);
  return inside === undefined ? others : { ...others, [segment]: inside };
}
