import type { Specified } from "../language/fields";
import { isEmpty, same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import type { Value } from "../value/unknown";
import { withRivalsEmptied } from "./exclusive";
import { type Comparison, type Model, restoredValue } from "./models";
import { type Difference, type Entry, entriesIn, isBlock, managedParts, samePresence } from "./threeWay";
import { areObjects, elementsOf, partsOf } from "./walk";

/**
 * The managed paths that someone else changed between two reads. It omits unmanaged paths, and paths that now have the
 * desired value.
 */
export function conflictsIn(definition: Specified, comparison: Comparison, current: Model): Difference[] {
  return entriesIn(definition, withRivalsEmptied(definition, comparison, current), current).flatMap(
    conflictsAt,
  );
}

function conflictsAt(entry: Entry): Difference[] {
  const { field, manner, values } = entry;
  const { lastApplied, desired, observed, current } = values;
  if (manner === "writeOnly") return [];
  if (manner === "document") return documentConflicts(entry);
  if (manner === "structure" && isEmpty(observed) === isEmpty(current))
    return managedParts(entry).flatMap(conflictsAt);
  if (manner === "shared") {
    // Only elements that the program writes or wrote are managed, so only they are reported.
    const keys = new Set([...elementsOf(lastApplied).keys(), ...elementsOf(desired).keys()]);
    return conflict(entry, same, {
      base: onlyElements(keys, observed),
      ours: onlyElements(keys, desired),
      theirs: onlyElements(keys, current),
    });
  }
  // A dropped property without a value to restore is unmanaged from now on: it stays as others set it.
  if (desired === undefined && field.facts.notRestored) return [];
  return conflict(entry, same, { base: observed, ours: desired ?? restoredValue(field), theirs: current });
}

function onlyElements(keys: ReadonlySet<string>, value: Value | undefined): Value {
  const managed = [...elementsOf(value)].filter(([key]) => keys.has(key));
  return isObject(value) ? Object.fromEntries(managed) : managed.map(([, element]) => element);
}

function documentConflicts(entry: Entry): Difference[] {
  const { lastApplied, desired, baseline, observed, current } = entry.values;
  // If the program drops an object and someone else has already removed it, no write is needed.
  const isDeleted = isObject(lastApplied) && desired === undefined && current === undefined;
  if (isDeleted || sameInDocument(observed, current)) return [];
  const isEntered = areObjects(desired, observed, current);
  const inside = isEntered ? partsOf(entry).flatMap(conflictsAt) : [];
  if (inside.length > 0 || (isEntered && !isBlock(entry))) return inside;
  // What the program never wrote is to stay as it was after our last write.
  const ours = desired ?? (lastApplied === undefined ? baseline : undefined);
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
