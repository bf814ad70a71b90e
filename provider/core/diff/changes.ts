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
  const { desired, lastApplied, baseline, observed, forms, changedText } = comparison;
  const models = { desired, lastApplied: lastApplied, baseline: baseline, observed: observed };
  const isExcluded = excludedIn(definition, comparison);
  return positionsIn(definition, { models, inputs: desired, forms }).flatMap((position) => {
    const { field, values } = position;
    if (values.desired === UNKNOWN && definition.serviceText?.property === field.name && changedText)
      return changedText.map((part) => change(part, [part.name], values.observed, UNKNOWN, "program"));
    return visit(changed(lastApplied), position).filter(({ path }) => !isExcluded(path));
  });
}

function changed(lastApplied: Comparison["lastApplied"]): Visitor<ComparedModel, Change[]> {
  return {
    enters(position) {
      const { field, manner, values } = position;
      const { desired, observed } = values;
      if (isUnmanaged(position) || isDropped(position)) return false;
      if (manner === "document")
        return (
          areObjects(desired, values.lastApplied, values.baseline, observed) &&
          // The observed value already equals the desired value: do not compare its members.
          !sameInDocument(desired, observed)
        );
      return (
        manner === "structure" && isObject(desired) && !(isEmpty(observed) && !isDeepEmpty(field, desired))
      );
    },
    whole: (position) => (isUnmanaged(position) ? [] : wholeChange(position, lastApplied)),
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

function wholeChange(position: At, before: Comparison["lastApplied"]): Change[] {
  const { field, path, manner, values } = position;
  const { lastApplied, desired, baseline, observed } = values;
  if (desired !== UNKNOWN && manner === "document" && !isDropped(position)) return documentChange(position);
  // An empty value that the program did not write before is new, although it equals absence.
  const isEdited = !same(lastApplied, desired) || (lastApplied === undefined) !== (desired === undefined);
  const cause = isEdited ? "program" : "drift";
  if (manner === "writeOnly")
    return field.facts.writeOnly === "create-only" ||
      same(orDefault(field, lastApplied), orDefault(field, desired))
      ? []
      : [change(field, path, lastApplied, desired, "program")];
  if (desired === UNKNOWN) return [change(field, path, observed, UNKNOWN, "program")];
  if (isDropped(position)) return removal(position);
  if (manner === "shared") return sharedChange(position, cause);
  // The program asks for exactly this value: remove everything else, regardless of its author.
  if (manner === "exclusive")
    return same(desired, observed)
      ? []
      : [change(field, path, observed, desired, isAdditive(field, before) ? "program" : cause)];
  if (same(desired, observed) || (cause === "drift" && same(baseline, observed))) return [];
  return [change(field, path, observed, desired, cause)];
}

/** Leaving out a property that no response contains has the same effect as writing its default. */
function orDefault(field: Field, value: Value | undefined): Value | undefined {
  return value ?? defaultValue(field);
}

/** The program dropped the property. Restores its default, else the service's empty value; without either, the value stays. */
function removal(position: At): Change[] {
  const { field, path, values } = position;
  const { lastApplied, baseline, observed } = values;
  if (field.facts.notRestored) return [];
  // An empty document requested nothing that could be undone.
  if (field.facts.document && isEmpty(lastApplied) && same(baseline, observed)) return [];
  // When a program stops writing an additive list or map, only its own elements are removed.
  if (field.facts.additive) {
    const desired = isObject(lastApplied) ? {} : [];
    const cause = same(lastApplied, desired) ? "drift" : "program";
    return sharedChange({ ...position, values: { ...values, desired } }, cause);
  }
  const restored = restoredValue(field);
  // The program wrote the default, and its service stores that in another form: dropping it requires no change.
  if (same(lastApplied, restored) && same(baseline, observed)) return [];
  return same(restored, observed) ? [] : [change(field, path, observed, restored, "program")];
}

/** Adds our missing elements, removes those that the program no longer writes, and keeps those that others added. */
function sharedChange({ field, path, values }: At, cause: Change["cause"]): Change[] {
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

/** A document is managed as one unit: the change also reverts additions by others to parts that the program left out. */
function documentChange({ field, path, values }: At): Change[] {
  const { lastApplied, desired, baseline, observed } = values;
  if (sameInDocument(desired, observed)) return [];
  const edited = !sameInDocument(lastApplied, desired);
  const moved = !sameInDocument(baseline, observed);
  const isExtra = field.facts.document?.exact === true && desired === undefined;
  if (!edited && !moved && !isExtra) return [];
  const to = desired ?? (edited || isExtra ? undefined : baseline);
  return [change(field, path, observed, to, edited || !moved ? "program" : "drift")];
}

/** The presence of a block or of a user's entry counts: it is a change if nothing inside it differs. */
function blockChange({ field, path, values }: At): Change[] {
  const { lastApplied, desired, baseline, observed } = values;
  if (isObject(desired) === isObject(observed)) return [];
  const edited = isObject(lastApplied) !== isObject(desired);
  if (!edited && isObject(baseline) === isObject(observed)) return [];
  const kind = isObject(desired) ? "add" : "delete";
  return [{ path, field, kind, cause: edited ? "program" : "drift", from: observed, to: desired }];
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
