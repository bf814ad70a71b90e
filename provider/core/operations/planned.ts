import { withRivalsEmptied } from "../diff/exclusive";
import { formsIn, recordedField } from "../diff/forms";
import {
  type Comparison,
  type Model,
  modelOfInputs,
  modelWithDefaults,
  withoutOthersOwned,
} from "../diff/models";
import { type Change, changesIn } from "../diff/threeWay";
import { type DefinitionBase, type Field, fieldNamed, fieldsOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import { type AnyDefinition, type Definition, livesAs } from "../language/resource";
import { isLink, isSteering } from "../language/role";
import { isWritten } from "../language/rules";
import type { PreviewInput } from "../language/stepInput";
import { ordinaryModel } from "../state/outputs";
import { hasPendingCreate, isNeverObserved, pendingInputs, type Records, writesIn } from "../state/records";
import { valueAt } from "../value/path";
import { isEmpty, same, sameInDocument } from "../value/scalar";
import { type Inputs, isKnown, knownAmong } from "../value/unknown";
import { withIgnoredPaths } from "./ignoredPaths";
import { withEarlierReading } from "./readText";

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
  if (attempted === undefined || !hasPendingCreate(records)) return isFixed;
  const asked: Records = {
    ...records,
    lastApplied: attempted,
    observed: modelOfInputs(definition, attempted),
  };
  const moved = new Set(plannedChanges(definition, asked, inputs).map(({ field }) => field.name));
  return (change) => isFixed(change) && moved.has(change.field.name);
}

type FieldChange = Pick<Change, "field" | "to">;

function isFixed({ field: { facts }, to }: FieldChange): boolean {
  return facts.immutable === "unless emptied" ? !isEmpty(to) : (facts.immutable ?? false);
}

/** The effective inputs of a recorded resource: with the parsed text, and with the observed values of ignored properties. */
export function effectiveInputs<I extends Inputs>(
  definition: DefinitionBase,
  input: PreviewInput,
  records: Records,
  written: I,
): I {
  const read = withEarlierReading(definition, input, written, writesIn(records));
  return withIgnoredPaths(definition, records, read);
}

/** An update from the recorded object to the program's inputs. It is computed once, and passed on. */
export interface UpdateDiff {
  readonly definition: Definition;
  readonly records: Records;
  readonly inputs: KnownInputs;
  /** All changes, apart from the object's identity. */
  readonly changes: readonly Change[];
  /** The changes that a request of the update sends, without those of provider options. */
  readonly remote: readonly Change[];
  /** The changes that the object's own request sends: each link has a request of its own. */
  readonly main: readonly Change[];
}

/** The update from these records to these inputs. */
export function diffUpdate(definition: Definition, records: Records, inputs: KnownInputs): UpdateDiff {
  const changes = plannedChanges(definition, records, inputs);
  const remote = remoteChanges(changes);
  return { definition, records, inputs, changes, remote, main: withoutLinks(remote) };
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
  const usual = livesAs(definition, "object") ? definition.life.reads : {};
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
  const written = livesAs(definition, "writeOnly") && modelWithDefaults(definition, records.lastApplied);
  return withRivalsEmptied(definition, {
    lastApplied: managedOf(modelOfInputs(definition, records.lastApplied)),
    desired: modelOfInputs(definition, inputs),
    baseline: managedOf(written || records.baseline),
    observed: managedOf(written || records.observed),
    forms: formsIn(definition, inputs),
    changedText: textChanged(definition, records, inputs),
  });
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
