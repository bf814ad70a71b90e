// The three-way comparison: what the program wrote and wants, and what the service has returned.

import { type Field, isInherited, type Specified } from "../language/fields";
import { isObject } from "../value/json";
import type { Path } from "../value/path";
import { isEmpty, same, sameInDocument } from "../value/scalar";
import { UNKNOWN, type Value } from "../value/unknown";
import { rivalsOf } from "./exclusive";
import { type Comparison, defaultValue, type Model, restoredValue } from "./models";
import { countsWhenEmpty, isDeepEmpty } from "./normalize";
import { areObjects, elementsOf, insideOf, isAdditive, type Position, partsOf, positionsIn } from "./walk";

/** One difference between the observed object and the program. */
export interface Change {
  readonly path: Path;
  readonly field: Field;
  readonly kind: "add" | "update" | "delete";
  /** The cause: an edit of the program, or drift. */
  readonly cause: "program" | "drift";
  /** The observed value. */
  readonly from: Value | undefined;
  /** The desired value. */
  readonly to: Value | undefined;
}

/** A position where an object differs from the expected one: by an edit of someone else, or by the service itself. */
export interface Difference<V extends Value = Value> {
  readonly path: Path;
  readonly field: Field;
  /** The value before. */
  readonly base: V | undefined;
  /** The value that the program wants. */
  readonly ours: V | undefined;
  /** The object's value. */
  readonly theirs: V | undefined;
}

/** A position with the values of all models. `current` is a response that is later than the observed one. */
export type Entry = Position<"lastApplied" | "desired" | "baseline" | "observed" | "current">;

/** The properties that the program manages. */
export function entriesIn(definition: Specified, comparison: Comparison, current: Model): Entry[] {
  const { lastApplied, desired, baseline, observed, forms } = comparison;
  const models = { lastApplied, desired, baseline, observed, current };
  return positionsIn(definition, models, desired, forms).filter(isManaged);
}

/** True if the program writes or wrote a property, or a member of a structure. Otherwise, others may own it. */
function isManaged({ values: { lastApplied, desired } }: Entry): boolean {
  return lastApplied !== undefined || desired !== undefined;
}

/** The members of a structure that the program manages. */
export function managedParts(structure: Entry): Entry[] {
  return partsOf(structure).filter(isManaged);
}

/** True if the presence of a value counts although it is empty: it is a block, or a user's entry. */
export function isBlock(entry: Entry): boolean {
  const { document } = entry.field.facts;
  return document !== undefined && countsWhenEmpty(document, insideOf(entry));
}

/**
 * The changes that an update must make. A path has a change if the program was edited or the service drifted since our last
 * write, unless the service already has the desired value.
 */
export function changesIn(definition: Specified, comparison: Comparison): Change[] {
  const { changedText, lastApplied } = comparison;
  const isExcluded = rivalsOf(definition)?.setByOthers(comparison) ?? (() => false);
  return entriesIn(definition, comparison, {}).flatMap((compared) => {
    const entry = withoutInherited(compared, comparison.observed);
    const isText = entry.values.desired === UNKNOWN && definition.serviceText?.property === entry.field.name;
    if (isText && changedText)
      return changedText.map((part) => change(part, [part.name], entry.values.observed, UNKNOWN, "program"));
    return changesAt(entry, lastApplied).filter(({ path }) => !isExcluded(path));
  });
}

/** A value that the object only inherits, and that the program did not write before, counts as absent. */
function withoutInherited(entry: Entry, observed: Model): Entry {
  const isAbsent = entry.values.lastApplied === undefined && isInherited(entry.field, observed);
  return isAbsent ? { ...entry, values: { ...entry.values, observed: undefined } } : entry;
}

function changesAt(entry: Entry, before: Model): Change[] {
  const { field, path, depth, manner, values } = entry;
  const { lastApplied, desired, baseline, observed } = values;
  if (manner === "writeOnly") {
    if (desired === undefined && field.facts.notRestored) return [];
    // Leaving out a property that no response contains has the same effect as writing its default.
    const isEqual = same(lastApplied ?? defaultValue(field), desired ?? defaultValue(field));
    const isFixed = field.facts.writeOnly === "create-only";
    return isEqual || isFixed ? [] : [change(field, path, lastApplied, desired, "program")];
  }
  if (path.length === depth && desired === undefined) return removal(entry);
  if (desired === UNKNOWN) return [change(field, path, observed, UNKNOWN, "program")];
  if (manner === "document") return documentChanges(entry, before);
  if (manner === "structure" && isObject(desired) && !(isEmpty(observed) && !isDeepEmpty(field, desired)))
    return managedParts(entry).flatMap((part) => changesAt(part, before));
  // An empty value that the program did not write before is new, although it equals absence.
  const isEdited = !same(lastApplied, desired) || (lastApplied === undefined) !== (desired === undefined);
  const cause = isEdited ? "program" : "drift";
  if (manner === "shared") return sharedChange(entry, cause);
  if (same(desired, observed)) return [];
  // The program asks for exactly this value: remove everything else, regardless of its author.
  if (manner === "exclusive")
    return [change(field, path, observed, desired, isAdditive(field, before) ? "program" : cause)];
  return isEdited || !same(baseline, observed) ? [change(field, path, observed, desired, cause)] : [];
}

/** The program dropped the property. Restores its default, else the service's empty value; without either, the value stays. */
function removal(entry: Entry): Change[] {
  const { field, path, values } = entry;
  const { lastApplied, baseline, observed } = values;
  if (field.facts.notRestored) return [];
  // An empty document requested nothing that could be undone.
  if (field.facts.document && isEmpty(lastApplied) && same(baseline, observed)) return [];
  // When a program stops writing an additive list or map, only its own elements are removed.
  if (field.facts.additive) {
    const desired = isObject(lastApplied) ? {} : [];
    const cause = same(lastApplied, desired) ? "drift" : "program";
    return sharedChange({ ...entry, values: { ...values, desired } }, cause);
  }
  const restored = restoredValue(field);
  // The program wrote the default, and its service stores that in another form: dropping it requires no change.
  if (same(lastApplied, restored) && same(baseline, observed)) return [];
  return same(restored, observed) ? [] : [change(field, path, observed, restored, "program")];
}

/** Adds our missing elements, removes those that the program no longer writes, and keeps those that others added. */
function sharedChange({ field, path, values }: Entry, cause: Change["cause"]): Change[] {
  const lastApplied = elementsOf(values.lastApplied);
  const desired = elementsOf(values.desired);
  const observed = elementsOf(values.observed);
  const missing = [...desired].filter(
    ([key, value]) => !observed.has(key) || !same(observed.get(key), value),
  );
  const dropped = [...lastApplied].filter(([key]) => !desired.has(key) && observed.has(key));
  if (missing.length === 0 && dropped.length === 0) return [];
  const wanted = new Map(observed);
  for (const [key] of dropped) wanted.delete(key);
  for (const [key, value] of missing) wanted.set(key, value);
  const to = isObject(values.desired) ? Object.fromEntries(wanted) : [...wanted.values()];
  return [change(field, path, values.observed, to, cause)];
}

/** A document is managed as one unit: the changes also revert additions by others to parts that the program left out. */
function documentChanges(entry: Entry, before: Model): Change[] {
  const { field, path, values } = entry;
  const { lastApplied, desired, baseline, observed } = values;
  // The observed value already equals the desired value: do not compare its members.
  if (sameInDocument(desired, observed)) return [];
  const isEntered = areObjects(desired, lastApplied, baseline, observed);
  const inside = isEntered ? partsOf(entry).flatMap((part) => changesAt(part, before)) : [];
  if (inside.length > 0 || (isEntered && !isBlock(entry))) return inside;
  const isEqual = isEntered ? samePresence : sameInDocument;
  const isEdited = !isEqual(lastApplied, desired);
  const isDrifted = !isEqual(baseline, observed);
  const isExtra = !isEntered && field.facts.document?.exact === true && desired === undefined;
  if (isEqual(desired, observed) || !(isEdited || isDrifted || isExtra)) return [];
  const to = desired ?? (isEdited || isExtra ? undefined : baseline);
  return [change(field, path, observed, to, isEdited || !isDrifted ? "program" : "drift")];
}

/** Compares blocks and entries in which nothing differs: only their presence may. */
export function samePresence(a: Value | undefined, b: Value | undefined): boolean {
  return isObject(a) === isObject(b);
}

function change(
  field: Field,
  path: Path,
  from: Value | undefined,
  to: Value | undefined,
  cause: Change["cause"],
): Change {
  const isInside = field.facts.document !== undefined && path.length > 1;
  const isNothing = (value: Value | undefined) => (isInside ? value === undefined : isEmpty(value));
  const kind = isNothing(from) ? "add" : isNothing(to) ? "delete" : "update";
  return { path, field, kind, cause, from, to };
}
