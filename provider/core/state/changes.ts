import { rivalsOf } from "../diff/exclusive";
import { formsIn, recordedField } from "../diff/forms";
import {
  type Comparison,
  type Model,
  modelOfInputs,
  modelWithDefaults,
  withoutOthersOwned,
} from "../diff/models";
import { conflictsIn } from "../diff/queries";
import { type Change, changesIn, type Difference } from "../diff/threeWay";
import { type DefinitionBase, type Field, fieldNamed, fieldsOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import { type AnyDefinition, type Definition, hasLifecycle, type ObjectContext } from "../language/resource";
import { isLink, isSteering } from "../language/role";
import { isWritten } from "../language/rules";
import { valueAt } from "../value/path";
import { isEmpty, same, sameInDocument } from "../value/scalar";
import { type Inputs, isKnown, knownAmong } from "../value/unknown";
import { ordinaryModel } from "./outputs";
import { hasPendingCreate, isNeverObserved, pendingInputs, type Records } from "./records";

/** The links with a read of their own that were never read, because no program of this resource managed them yet. */
export function unreadLinks({ life: { links } }: Definition, { observed, lastApplied }: Records): string[] {
  return links
    .filter(({ field, read }) => read && observed[field] === undefined && lastApplied[field] === undefined)
    .map(({ field }) => field);
}

/**
 * Those unread links that the program starts to write as empty. Their current value is unknown, so an update must read them,
 * even if it has nothing to send.
 */
export function addedAsEmpty(
  definition: Definition,
  records: Records,
  inputs: Inputs,
  changes: readonly Change[],
): string[] {
  if (isNeverObserved(records)) return [];
  const changed = new Set(changes.map(({ field }) => field.name));
  return unreadLinks(definition, records).filter((name) => isWritten(inputs[name]) && !changed.has(name));
}

/**
 * Returns a test for changes that require a replacement: changes of immutable fields. If the create is pending, the object
 * has the values of that create, or does not exist and is created with the current inputs.
 */
export function requiresReplacement(
  definition: AnyDefinition,
  records: Records,
  inputs: Inputs,
): (change: FieldChange) => boolean {
  const attempted = pendingInputs(records);
  if (attempted === undefined || !hasPendingCreate(records))
    return (change) => isFixed(change, records.observed);
  const asked: Records = {
    ...records,
    lastApplied: attempted,
    observed: modelOfInputs(definition, attempted),
  };
  const moved = new Set(plannedChanges(definition, asked, inputs).map(({ field }) => field.name));
  return (change) => isFixed(change, asked.observed) && moved.has(change.field.name);
}

type FieldChange = Pick<Change, "field" | "to">;

/** True if an object with these observed values can only be replaced to make this change. */
export function isFixed({ field: { name, facts }, to }: FieldChange, observed: Model): boolean {
  const { immutable = false } = facts;
  if (immutable === "once set") return !isEmpty(observed[name]);
  if (typeof immutable === "object") return observed[immutable.while] === true;
  return immutable === "unless emptied" ? !isEmpty(to) : immutable;
}

/** An object on record, and the program's inputs for it. */
export interface RecordedObject {
  readonly context: ObjectContext;
  readonly records: Records;
  readonly inputs: KnownInputs;
}

/** An update from the recorded object to the program's inputs. It is computed once, and passed on. */
export interface UpdateDiff extends RecordedObject {
  readonly definition: Definition;
  /** All changes, apart from the object's identity. */
  readonly changes: readonly Change[];
  /** The changes that a request of the update sends, without those of provider options. */
  readonly remote: readonly Change[];
  /** The changes that the object's own request sends: each link has a request of its own. */
  readonly main: readonly Change[];
}

/** The update from these records to these inputs. */
export function diffUpdate(context: ObjectContext, records: Records, inputs: KnownInputs): UpdateDiff {
  const { definition } = context;
  const changes = plannedChanges(definition, records, inputs);
  const remote = remoteChanges(changes);
  return { context, definition, records, inputs, changes, remote, main: withoutLinks(remote) };
}

/** The changes of which the service is informed: those of provider options only concern this package. */
export function remoteChanges(changes: readonly Change[]): Change[] {
  return changes.filter(({ field }) => !isSteering(field.facts));
}

/** The changes that the object's own request sends. */
export function withoutLinks(changes: readonly Change[]): Change[] {
  return changes.filter(({ field }) => !isLink(field.facts));
}

/** The changes that an update from these records would make, apart from the object's identity. */
export function plannedChanges(definition: AnyDefinition, records: Records, inputs: Inputs): Change[] {
  const comparison = comparisonOf(definition, records, inputs);
  const changes = changesIn(definition, comparison);
  return changes.some(isEditedDocument) ? withoutDefaults(definition, comparison, changes) : changes;
}

function isEditedDocument({ field, cause }: Change): boolean {
  return field.facts.document !== undefined && cause === "program";
}

/** Removes changes that would only delete members that the server adds to a document. */
function withoutDefaults(
  definition: AnyDefinition,
  { desired, observed }: Comparison,
  changes: readonly Change[],
): Change[] {
  const usual = hasLifecycle(definition, "object") ? definition.life.reads : {};
  const known = knownAmong(desired);
  const [written, there] = [known, observed].map((model) => ordinaryModel(definition, model, usual, known));
  return changes.filter((change) => {
    if (!isEditedDocument(change)) return true;
    // A model stores every form of a property under one name.
    const { name } = recordedField(definition, fieldNamed(definition, change.field.name) ?? change.field);
    if (!isKnown(desired[name])) return true;
    const path = [name, ...change.path.slice(1)];
    // An empty block inside a document is a value.
    const isSame = path.length > 1 ? sameInDocument : same;
    return !isSame(valueAt(written ?? {}, path), valueAt(there ?? {}, path));
  });
}

/** The comparison of the records with the program's inputs. */
export function comparisonOf(definition: AnyDefinition, records: Records, inputs: Inputs): Comparison {
  const managedOf = (model: Model) => withoutOthersOwned(definition, model, inputs);
  // The server never shows a write-only value, so the comparison uses the written value.
  const written = hasLifecycle(definition, "writeOnly") && modelWithDefaults(definition, records.lastApplied);
  const comparison: Comparison = {
    lastApplied: managedOf(modelOfInputs(definition, records.lastApplied)),
    desired: modelOfInputs(definition, inputs),
    baseline: managedOf(written || records.baseline),
    observed: managedOf(written || records.observed),
    forms: formsIn(definition, inputs),
    changedText: textChanged(definition, records, inputs),
  };
  return rivalsOf(definition)?.emptied(comparison) ?? comparison;
}

/** Someone else's changes to managed values since the last recorded read. */
export function conflictsSince(
  definition: Definition,
  records: Records,
  inputs: KnownInputs,
  now: Model,
): Difference[] {
  return conflictsIn(definition, comparisonOf(definition, records, inputs), now);
}

/** The changed properties among a text and the inputs that it is parsed with, since the last write. */
function textChanged(definition: DefinitionBase, { lastApplied }: Records, inputs: Inputs): Field[] {
  const { serviceText } = definition;
  if (serviceText === undefined) return [];
  const names = [serviceText.property, ...serviceText.with];
  return fieldsOf(definition).filter(
    ({ name, facts }) =>
      names.includes(name) &&
      !sameInDocument(lastApplied[name] ?? facts.default, inputs[name] ?? facts.default),
  );
}
