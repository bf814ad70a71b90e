// Records with a pending write: it has an unknown outcome, or its result could not be read back.

import { ownFields, writtenForm } from "../../diff/forms";
import { type Model, modelOfBody, modelOfInputs, restoredValue } from "../../diff/models";
import { isDeepEmpty } from "../../diff/normalize";
import { predict } from "../../diff/predict";
import { changesShown, withChanges } from "../../diff/queries";
import { isAdditive } from "../../diff/walk";
import { ActionableError, rerunUp } from "../../http/remedies";
import { type Field, fieldsOf } from "../../language/fields";
import type { Address, KnownInputs, Observation } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { isLink, isSteering } from "../../language/role";
import { describeUnknown, type OutcomeUnknown } from "../../requests/probe";
import { stillHolds, writeToUpdate } from "../../requests/write";
import { diffUpdate, type RecordedObject, type UpdateDiff } from "../../state/changes";
import type { PartialError } from "../../state/errors";
import { hasPendingCreate, neverObserved, pendingInputs, type Records } from "../../state/records";
import type { Json } from "../../value/json";
import { valueAt } from "../../value/path";
import { selectInputs } from "../../value/programInputs";
import { same } from "../../value/scalar";
import { hasNoForeignChanges, holdsUpdate, isRevisionUnchanged } from "./ownership";
import { partial } from "./result";

/**
 * Records in which a pending write is resolved by the object as just read. If the service's revision proves that no one wrote
 * since, the object is the result of that write. Otherwise only the written values and the earlier observed ones are known,
 * and everything else shows as a change by others.
 */
export function resolvePending(context: ObjectContext, records: Records, current: Observation): Records {
  const { definition } = context;
  const { pending } = records;
  const attempted = pendingInputs(records);
  if (attempted !== undefined) return afterAttempt(diffUpdate(context, records, attempted), current);
  if (pending?.kind !== "unverified") return records;
  const rest = asIncomplete(records);
  const now = modelOfBody(definition, current.body, records.lastApplied);
  // Whatever the object contains, and in whatever form, is the result of the write.
  if (isLastWrite(definition, records, current)) return { ...rest, baseline: now, observed: now };
  const expected = predict(definition, records.lastApplied, records.observed, now, current.address);
  const written = ownFields(definition).filter(
    (field) =>
      writtenForm(definition, field, records.lastApplied) !== undefined &&
      !isLink(field.facts) &&
      !isAdditive(field, records.lastApplied),
  );
  const model = {
    ...records.observed,
    ...Object.fromEntries(written.map(({ name }) => [name, expected[name]])),
  };
  return { ...rest, baseline: model, observed: model };
}

/**
 * Records after an update with an unknown outcome. An object that holds all of it was written by it, however late. If others
 * have changed something since, each of its values that is there counts as written.
 */
function afterAttempt(diff: UpdateDiff, current: Observation): Records {
  const { definition, records, inputs, changes, main } = diff;
  const now = modelOfBody(definition, current.body, inputs);
  if (isRevisionUnchanged(diff, current) || !holdsUpdate(diff, current)) {
    const held = changesShown(now, main);
    return {
      ...records,
      baseline: withChanges(records.baseline, held),
      observed: withChanges(records.observed, held),
    };
  }
  // The response was lost, and the receipt with it.
  const { receipt: _, ...rest } = asIncomplete(records);
  const isWhole = hasNoForeignChanges(diff, current);
  const made = isWhole ? now : predict(definition, inputs, records.observed, now, current.address);
  const written = modelOfInputs(definition, inputs);
  // A property that the write only omitted comes from it if it has its default. Any other value was set by someone else.
  const open = changes.filter(
    ({ path, field }) => valueAt(written, path) === undefined && !isRestored(field, valueAt(now, path)),
  );
  const model = withChanges(
    { ...made, ...unsentProperties(diff, written) },
    open.map((change) => ({ ...change, to: valueAt(records.observed, change.path) })),
  );
  // If nothing else changed, the revision is that of this write.
  const revision = (isWhole ? current.revision : undefined) ?? records.revision;
  const applied = withLinksOf(definition, inputs, records.lastApplied);
  return { ...rest, lastApplied: applied, baseline: model, observed: model, revision };
}

/** Records of which the outcome of the pending write is now known. The next update finishes its remaining work. */
function asIncomplete(records: Records): Records {
  const { pending } = records;
  return pending ? { ...records, pending: { kind: "incomplete", reason: pending.reason } } : records;
}

/** The last observed values of properties that the write did not send. A different value now comes from someone else. */
function unsentProperties({ definition, records, changes }: UpdateDiff, written: Model): Model {
  const sent = new Set(changes.map(({ field }) => field.name));
  const unsent = ownFields(definition).filter(
    ({ name, facts }) =>
      // Links are written after the object: while its write is pending, no request of a link was sent.
      isLink(facts) || (written[name] === undefined && !sent.has(name)),
  );
  return Object.fromEntries(unsent.map(({ name }) => [name, records.observed[name]]));
}

/** True if an omitted property has the value that it returns to, as far as that is known. Documents decide for themselves. */
function isRestored(field: Field, now: Json | undefined): boolean {
  const { document, default: usual, empty } = field.facts;
  if (document !== undefined || isLink(field.facts) || now === undefined) return true;
  const isUnknown = usual === undefined && empty === undefined;
  return isUnknown ? isDeepEmpty(field, now) : same(restoredValue(field), now);
}

/** The attempted inputs, with the links that were written before. */
function withLinksOf(
  { life: { links } }: Definition,
  attempted: KnownInputs,
  applied: KnownInputs,
): KnownInputs {
  const isOfLink = (name: string) => links.some(({ field }) => field === name);
  return { ...selectInputs(applied, isOfLink), ...selectInputs(attempted, (name) => !isOfLink(name)) };
}

function isLastWrite({ life: { check } }: Definition, { revision }: Records, { body }: Observation): boolean {
  if (check === undefined) return false;
  if (check.proof === "repeated") return check.isNeverUpdated(body);
  return revision !== undefined && check.isUnchangedSince(revision, body);
}

/**
 * Records in which a pending write is confirmed by its replay. The service may store its values in another form, and add to
 * them. It accepts the same write with the old revision only if it still holds exactly that, and changes nothing.
 * @returns the records after that write if it is confirmed; otherwise the records unchanged
 */
export async function confirmPending(
  context: ObjectContext,
  records: Records,
  current: Observation,
): Promise<Records> {
  const { definition } = context;
  const isUnverified = records.pending?.kind === "unverified";
  const attempted = pendingInputs(records) ?? (isUnverified ? records.lastApplied : undefined);
  // Without its revision, the replay would overwrite whatever is there.
  if (attempted === undefined || records.revision === undefined || hasPendingCreate(records)) return records;
  const diff = diffUpdate(context, records, attempted);
  if (definition.life.check?.proof !== "repeated" || isRevisionUnchanged(diff, current)) return records;
  // An object that shows all of the write needs no other proof.
  if (!isUnverified && holdsUpdate(diff, current)) return records;
  const write = writeToUpdate(definition, { records, inputs: attempted, changes: diff.main, current: {} });
  if ((await stillHolds(context, write, current)) !== true) return records;
  const now = modelOfBody(definition, current.body, attempted);
  const { revision } = current;
  return { ...asIncomplete(records), lastApplied: attempted, baseline: now, observed: now, revision };
}

/**
 * The error of a create that may have been applied, or may still be. If the inputs determine the object's ID, the state keeps a
 * pending create: the next update creates the object if it is absent, and accepts it if it has exactly the written values.
 */
export function pendingCreateError(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
  outcome: OutcomeUnknown,
): ActionableError {
  const { definition } = context;
  const doubt = describeUnknown(outcome);
  if (definition.where.id.parse(definition.where.id.format(address)) === undefined) {
    return new ActionableError(
      `${doubt} The server assigns its ID, so the state has no record of it.`,
      [rerunUp("; if pulumi up fails because the object exists, set adopt: true to adopt the object")],
      { outcome: "unknown" },
    );
  }
  const own = neverObserved(address, ownInputs(context, inputs));
  const records: Records = { ...own, pending: { kind: "create", inputs, reason: doubt } };
  const next = rerunUp(
    "; it creates the object if the object is missing, and adopts an identical object. pulumi destroy also reads the object first",
  );
  const reason = new ActionableError(doubt, [next], { outcome: "unknown" });
  return partial(context, records, { reason, inputs });
}

/** The provider options and the address among the inputs. Only these are certain for an object with a pending create. */
function ownInputs({ definition }: ObjectContext, inputs: KnownInputs): KnownInputs {
  const own = fieldsOf(definition).filter(({ facts }) => isSteering(facts) || facts.role === "identity");
  const names = new Set<string>(own.map(({ name }) => name));
  return selectInputs(inputs, (name) => names.has(name));
}

/** The error of an update that may have been applied, or may still be: the state keeps it as pending. */
export function pendingUpdateError(
  { context, records, inputs }: RecordedObject,
  outcome: OutcomeUnknown<Observation>,
): PartialError {
  const doubt = describeUnknown(outcome);
  const next = rerunUp("; it recognizes this write if the write was applied");
  const pending = { kind: "update", inputs, reason: doubt } as const;
  const reason = new ActionableError(doubt, [next], { outcome: "unknown" });
  return partial(context, { ...records, pending }, { reason, body: outcome.found?.body });
}
