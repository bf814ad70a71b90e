import { plainModel } from "../diff/models";
import { NotFound } from "../http/errors";
import { ActionableError, again } from "../http/remedies";
import type { CheckedDelete, PlainDelete } from "../language/creation";
import type { Address, KnownInputs, Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { managedLinks, observe } from "../requests/observe";
import { describeUnknown, probeContext, unknownError } from "../requests/probe";
import { sendObject, type Write } from "../requests/write";
import { resultOf, type WriteResult } from "../requests/writeResult";
import { hasPendingCreate, pendingInputs, type Records, recordsIn } from "../state/records";
import { NO_INPUTS } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { assertNotHeld } from "./conflicts";
import { recordsOfOwnCreate } from "./find";
import { reconcile } from "./reconcile";
import { deleteFromState } from "./stateOnly";
import { type Done, done, runWrite, type WriteStrategy } from "./write/loop";

/**
 * Deletes an object if it is still the one that was last read. An object that is proven gone is a success.
 * @throws ConflictError if others changed what the program manages; nothing is deleted then.
 */
export async function remove(definition: Definition, input: StepInput, outputs: Inputs): Promise<void> {
  const { deletion } = definition.life;
  if (deletion.kind === "stays") return deleteFromState(definition, input, outputs, deletion.as);
  const records = recordsIn(definition, outputs);
  if (deletion.isSkipped?.(records.lastApplied)) return;
  const context = { ...objectContextOf(definition, "delete", input, records.lastApplied, outputs), deletion };
  const isDeleted = await deleteObject(context, records);
  await deletion.after?.(context, {
    address: records.address,
    inputs: records.lastApplied,
    lastObserved: plainModel(records.observed),
  });
  if (isDeleted && deletion.leavesBehind !== undefined) input.log("warning", deletion.leavesBehind);
}

/** A delete for which the service has a request. */
interface Deleting extends ObjectContext {
  readonly deletion: PlainDelete | CheckedDelete;
}

/**
 * True if a request deleted the object; false if there was nothing to delete. The object of a pending create is deleted if it
 * is exactly what was written: any other object is someone else's.
 */
async function deleteObject(context: Deleting, records: Records): Promise<boolean> {
  const { address, pending, revision } = records;
  const isCreating = hasPendingCreate(records);
  const inputs = isCreating ? (pendingInputs(records) ?? NO_INPUTS) : records.lastApplied;
  const isSettled = pending === undefined || pending.kind === "incomplete";
  if (context.deletion.isChecked && revision !== undefined && isSettled)
    return runWrite(context, deleteStrategy(context, { latest: records, inputs }));
  const current = await existing(context, address, inputs);
  if (current === undefined) return false;
  const latest = isCreating
    ? recordsOfOwnCreate(context, records, current)
    : reconcile({ context, records, inputs }, current);
  if (latest !== undefined) return runWrite(context, deleteStrategy(context, { latest, inputs, current }));
  const text =
    "the object is not deleted, because it differs from the object that this program tried to create";
  context.log("warning", text, { outcome: "notApplied" });
  return false;
}

/** The object to delete: its latest records, and the object as just read, if it was read. */
interface ToDelete {
  readonly latest: Records;
  readonly inputs: KnownInputs;
  readonly current?: Observation | undefined;
}

/** The delete of an object, with its revision if the service checks deletes. */
function deleteStrategy(
  context: Deleting,
  { inputs, ...start }: ToDelete,
): WriteStrategy<Observation | undefined, boolean> {
  const { isChecked, readsAfter = false } = context.deletion;
  let { latest, current } = start;
  /** True if a delete was sent of which no one knows what became. */
  let isUnclear = false;
  const deleted = done(true);
  const look = (asking: ObjectContext) =>
    existing({ ...asking, deletion: context.deletion }, latest.address, inputs);
  return {
    isBasedOnRead: !isChecked,
    isUnsafeIfLate: !isChecked,

    send: (asking) => sendDelete({ ...asking, deletion: context.deletion }, { latest, inputs, current }),

    applied: async () => (readsAfter ? undefined : deleted),

    async probe(asking) {
      const found = await look(asking);
      return { isApplied: found === undefined, found };
    },

    shown: async () => true,

    async read(cause) {
      if (cause.kind !== "applied") return look(context);
      const found = await look(probeContext(context));
      // An object with another revision is a successor.
      return found?.revision === latest.revision ? found : undefined;
    },

    conclude: async (found) => (found === undefined ? deleted : undefined),

    rebase(found, cause) {
      if (found === undefined) return;
      assertNotHeld(context, latest, found, cause);
      const isUnknown = cause.kind === "unknown";
      isUnclear ||= isUnknown;
      const records = latest;
      latest = reconcile({ context, records, inputs }, found, isUnclear ? { ownWrite: "unknown" } : {});
      current = found;
      if (isUnknown && !isChecked)
        context.log(
          "warning",
          `${describeUnknown(cause)} The request is sent again; the server may still apply the first request.`,
          { outcome: "unknown" },
        );
    },

    unknown: unknownError,

    exhaustedError: () =>
      new ActionableError(`${context.name(latest.address)} keeps changing, and was not deleted.`, [again()], {
        outcome: isUnclear ? "unknown" : "notApplied",
      }),
  };
}

/** Sends the delete once, by the definition's own function if it has one. */
async function sendDelete(
  context: Deleting,
  { latest: { address, revision }, inputs, current }: ToDelete,
): Promise<WriteResult<Observation | undefined> | Done<boolean>> {
  const { deletion } = context;
  if (deletion.isChecked || deletion.perform === undefined || current === undefined) {
    const checked = deletion.isChecked ? { revision } : {};
    const write: Write = { route: deletion.route, address, inputs, ...checked };
    const result = await sendObject(context, write);
    if (result.kind !== "rejected" || !(result.error instanceof NotFound)) return result;
    // A proxy may have sent the delete twice.
    const isGone = await existing(probeContext(context), address, inputs).then(
      (found) => found === undefined,
      () => false,
    );
    return isGone ? done(true) : result;
  }
  try {
    await deletion.perform(context, address, inputs, current);
    return done(true);
  } catch (error) {
    const result = resultOf(error);
    if (result.kind !== "unknown" || result.verdict === "notProbed") return result;
    if (result.verdict !== "notShown") throw error;
    // The function has looked for its own requests only.
    const found = await existing(context, address, inputs);
    return found === undefined ? done(true) : { ...result, found };
  }
}

/** The object as it is now; undefined if it is gone, or counts as deleted. */
async function existing(
  context: Deleting,
  address: Address,
  inputs: KnownInputs,
): Promise<Observation | undefined> {
  const found = await observe(context, address, managedLinks(context.definition, inputs));
  return found && context.deletion.isDone?.(found.body, inputs) ? undefined : found;
}
