import type { Field } from "../language/fields";
import type { Definition } from "../language/resource";
import { isEmpty } from "../value/empty";
import { same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import { isNamed, type Path } from "../value/path";
import type { Value } from "../value/unknown";
import type { Model } from "./model";
import { restoredValue } from "./restored";
import { elementsOf, isUnmanaged, type Side, type Standing } from "./standing";
import { areObjects, ask, insideOf, type Place, placesIn, type Question } from "./walk";

/** One managed path that somebody else moved between two reads. */
export interface Movement {
  readonly path: Path;
  readonly field: Field;
  readonly base: Value | undefined;
  readonly theirs: Value | undefined;
  readonly ours: Value | undefined;
}

type At = Place<Side | "current">;

/**
 * Which managed paths somebody else moved between two reads. Paths that nobody manages are not told; neither
 * are those that now hold what the program wants.
 */
export function movementsIn(definition: Definition, standing: Standing, current: Model): Movement[] {
  const { seen, desired, applied, settled, forms } = standing;
  const models = { seen, current, desired, applied, settled };
  return placesIn(definition, { models, inputs: desired, forms }).flatMap((place) => ask(moved, place));
}

const moved: Question<Side | "current", Movement[]> = {
  enters(place) {
    const { manner, values } = place;
    const { applied, desired, seen, current } = values;
    if (isUnmanaged(place)) return false;
    if (manner === "structure") return isEmpty(seen) === isEmpty(current);
    // What the program drops, and others took away, is just as it shall be.
    const isRid = isObject(applied) && desired === undefined && current === undefined;
    return manner === "document" && !isRid && areObjects(desired, seen, current);
  },
  whole(place) {
    const { manner, values } = place;
    if (isUnmanaged(place) || manner === "writeOnly") return [];
    if (manner === "document") return inDocument(place);
    if (manner === "shared") return inShared(place);
    const { desired, seen, current } = values;
    const ours = desired === undefined ? restoredValue(place.field) : desired;
    return same(seen, current) || same(ours, current) ? [] : [movement(place, seen, ours, current)];
  },
  parts(place, answers) {
    const inside = answers.flatMap(({ answer }) => answer);
    const { field, manner } = place;
    const isBlock = manner === "document" && isNamed(field.facts.document?.blocks, insideOf(place));
    return inside.length === 0 && isBlock ? inBlock(place) : inside;
  },
};

/** Of what others may add to, only what the program writes or wrote is managed, and told. */
function inShared(place: At): Movement[] {
  const { applied, desired, seen, current } = place.values;
  const managed = new Set([...elementsOf(applied).keys(), ...elementsOf(desired).keys()]);
  const base = only(managed, seen);
  const ours = only(managed, desired);
  const theirs = only(managed, current);
  return same(base, theirs) || same(ours, theirs) ? [] : [movement(place, base, ours, theirs)];
}

/** A list or map with these elements only. */
function only(keys: ReadonlySet<string>, value: Value | undefined): Value | undefined {
  const kept = [...elementsOf(value)].filter(([key]) => keys.has(key));
  return isObject(value) ? Object.fromEntries(kept) : kept.map(([, element]) => element);
}

/** A block speaks by being there, where nothing inside of it tells that it came or went. */
function inBlock(place: At): Movement[] {
  const { seen, current } = place.values;
  const ours = wantedIn(place);
  const isMoved = isObject(seen) !== isObject(current) && isObject(ours) !== isObject(current);
  return isMoved ? [movement(place, seen, ours, current)] : [];
}

/** What a place of a document shall hold; where the program never said anything, what the service settled on. */
function wantedIn({ values: { applied, desired, settled } }: At): Value | undefined {
  return desired ?? (applied === undefined ? settled : undefined);
}

function inDocument(place: At): Movement[] {
  const { applied, desired, seen, current } = place.values;
  const isRid = isObject(applied) && desired === undefined && current === undefined;
  if (isRid || sameInDocument(seen, current)) return [];
  const ours = wantedIn(place);
  return sameInDocument(ours, current) ? [] : [movement(place, seen, ours, current)];
}

function movement(
  { path, field }: At,
  base: Value | undefined,
  ours: Value | undefined,
  theirs: Value | undefined,
): Movement {
  return { path, field, base, ours, theirs };
}
