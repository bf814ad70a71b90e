import type { DefinitionBase, Field } from "../language/fields";
import { isEmpty, same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import type { Path } from "../value/path";
import { UNKNOWN, type Value } from "../value/unknown";
import {
  type ComparedModel,
  type Comparison,
  defaultValue,
  elementsOf,
  isUnmanaged,
  restoredValue,
} from "./comparison";
import { countsWhenEmpty, isAdditive, isDeepEmpty } from "./entries";
import { excludedIn } from "./exclusive";
import { areObjects, insideOf, type Position, positionsIn, type Visitor, visit } from "./walk";

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

type At = Position<ComparedModel>;

/**
 * The changes that an update must make. A path has a change if the program was edited or the service drifted since our last
 * write, unless the service already has the desired value.
 */
export function changesIn(definition: DefinitionBase, comparison: Comparison): Change[] {
  const { desired, applied, settled, seen, forms, changedText } = comparison;
  const models = { desired, applied, settled, seen };
  const isExcluded = excludedIn(definition, comparison);
  return positionsIn(definition, { models, inputs: desired, forms }).flatMap((position) => {
    const { field, values } = position;
    if (values.desired === UNKNOWN && definition.serviceText?.property === field.name && changedText)
      return changedText.map((part) => change(part, [part.name], values.seen, UNKNOWN, "program"));
    return visit(changed(applied), position).filter(({ path }) => !isExcluded(path));
  });
}

function changed(applied: Comparison["applied"]): Visitor<ComparedModel, Change[]> {
  return {
    enters(position) {
      const { field, manner, values } = position;
      const { desired, seen } = values;
      if (isUnmanaged(position) || isDropped(position)) return false;
      if (manner === "document")
        return (
          areObjects(desired, values.applied, values.settled, seen) &&
          // The observed value already equals the desired value: do not compare its members.
          !sameInDocument(desired, seen)
        );
      return manner === "structure" && isObject(desired) && !(isEmpty(seen) && !isDeepEmpty(field, desired));
    },
    whole: (position) => (isUnmanaged(position) ? [] : wholeChange(position, applied)),
    parts(position, results) {
      const inside = results.flatMap(({ result }) => result);
      const { document } = position.field.facts;
      const isBlock = document !== undefined && countsWhenEmpty(document, insideOf(position));
      return inside.length === 0 && isBlock ? blockChange(position) : inside;
    },
  };
}

/** True if the program no longer writes a property, or a member of a structure. */
function isDropped({ path, depth, values, manner }: At): boolean {
  return manner !== "writeOnly" && path.length === depth && values.desired === undefined;
}

function wholeChange(position: At, before: Comparison["applied"]): Change[] {
  const { field, path, manner, values } = position;
  const { applied, desired, settled, seen } = values;
  if (desired !== UNKNOWN && manner === "document" && !isDropped(position)) return documentChange(position);
  // An empty value that the program did not write before is new, although it equals absence.
  const isEdited = !same(applied, desired) || (applied === undefined) !== (desired === undefined);
  const cause = isEdited ? "program" : "drift";
  if (manner === "writeOnly")
    return field.facts.writeOnly === "create-only" ||
      same(orDefault(field, applied), orDefault(field, desired))
      ? []
      : [change(field, path, applied, desired, "program")];
  if (desired === UNKNOWN) return [change(field, path, seen, UNKNOWN, "program")];
  if (isDropped(position)) return removal(position);
  if (manner === "shared") return sharedChange(position, cause);
  // The program asks for exactly this value: remove everything else, regardless of its author.
  if (manner === "exclusive")
    return same(desired, seen)
      ? []
      : [change(field, path, seen, desired, isAdditive(field, before) ? "program" : cause)];
  if (same(desired, seen) || (cause === "drift" && same(settled, seen))) return [];
  return [change(field, path, seen, desired, cause)];
}

/** Leaving out a property that no response contains has the same effect as writing its default. */
function orDefault(field: Field, value: Value | undefined): Value | undefined {
  return value ?? defaultValue(field);
}

/** The program dropped the property. Restores its default, else the service's empty value; without either, the value stays. */
function removal(position: At): Change[] {
  const { field, path, values } = position;
  const { applied, settled, seen } = values;
  if (field.facts.notRestored) return [];
  // An empty document requested nothing that could be undone.
  if (field.facts.document && isEmpty(applied) && same(settled, seen)) return [];
  // When a program stops writing an additive list or map, only its own elements are removed.
  if (field.facts.additive) {
    const desired = isObject(applied) ? {} : [];
    const cause = same(applied, desired) ? "drift" : "program";
    return sharedChange({ ...position, values: { ...values, desired } }, cause);
  }
  const restored = restoredValue(field);
  // The program wrote the default, and its service stores that in another form: dropping it requires no change.
  if (same(applied, restored) && same(settled, seen)) return [];
  return same(restored, seen) ? [] : [change(field, path, seen, restored, "program")];
}

/** Adds our missing elements, removes those that the program no longer writes, and keeps those that others added. */
function sharedChange({ field, path, values }: At, cause: Change["cause"]): Change[] {
  const applied = elementsOf(values.applied);
  const desired = elementsOf(values.desired);
  const seen = elementsOf(values.seen);
  const missing = [...desired].filter(([key, value]) => !seen.has(key) || !same(seen.get(key), value));
  const dropped = [...applied].filter(([key]) => !desired.has(key) && seen.has(key));
  if (missing.length === 0 && dropped.length === 0) return [];
  const wanted = new Map(seen);
  for (const [key] of dropped) wanted.delete(key);
  for (const [key, value] of missing) wanted.set(key, value);
  const to = isObject(values.desired) ? Object.fromEntries(wanted) : [...wanted.values()];
  return [change(field, path, values.seen, to, cause)];
}

/** A document is managed as one unit: the change also reverts additions by others to parts that the program left out. */
function documentChange({ field, path, values }: At): Change[] {
  const { applied, desired, settled, seen } = values;
  if (sameInDocument(desired, seen)) return [];
  const edited = !sameInDocument(applied, desired);
  const moved = !sameInDocument(settled, seen);
  const isExtra = field.facts.document?.exact === true && desired === undefined;
  if (!edited && !moved && !isExtra) return [];
  const to = desired ?? (edited || isExtra ? undefined : settled);
  return [change(field, path, seen, to, edited || !moved ? "program" : "drift")];
}

/** The presence of a block or of a user's entry counts: it is a change if nothing inside it differs. */
function blockChange({ field, path, values }: At): Change[] {
  const { applied, desired, settled, seen } = values;
  if (isObject(desired) === isObject(seen)) return [];
  const edited = isObject(applied) !== isObject(desired);
  if (!edited && isObject(settled) === isObject(seen)) return [];
  const kind = isObject(desired) ? "add" : "delete";
  return [{ path, field, kind, cause: edited ? "program" : "drift", from: seen, to: desired }];
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
