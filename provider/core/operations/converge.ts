import { emptyingUpdate } from "../diff/exclusive";
import { modelOfInputs, withoutOthersOwned } from "../diff/models";
import type { KnownInputs, Observation } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { managedLinks, observe } from "../requests/observe";
import { PartialError } from "../state/errors";
import type { Records } from "../state/records";
import { toError } from "../value/error";
import { equalJson, omit, pick } from "../value/json";
import { assertNoConflict, conflictsSince, goneError, reconcile } from "./conflicts";
import { withIgnoredPaths } from "./ignoredPaths";
import { addedAsEmpty, diffUpdate, type UpdateDiff } from "./planned";
import { asIgnored, updateStrategy } from "./updateStrategy";
import { runWrite } from "./write/loop";
import { confirmPending } from "./write/pending";
import { type Finished, incomplete, partial } from "./write/result";

/**
 * Brings an existing object to the program's inputs. Before every write it knows what the service holds: by the revision if
 * there is one, else by a read just before.
 * @param justRead the object, if it was read a moment ago (an adoption)
 * @throws ConflictError if others changed what the program manages; nothing is written then.
 */
export async function converge(
  context: ObjectContext,
  before: Records,
  written: KnownInputs,
  justRead?: Observation,
): Promise<Finished> {
  const { definition } = context;
  const inputs = withIgnoredPaths(definition, before, written);
  const diff = diffUpdate(definition, before, inputs);
  const begun = addedAsEmpty(definition, before, inputs, diff.remote);
  const isQuiet = diff.remote.length === 0 && begun.length === 0;
  if (isQuiet && before.pending === undefined) return finishUnchanged(diff);
  if (justRead !== undefined) return sendAll(context, diff, justRead);
  if (begun.length === 0 && !mustRead(diff)) return sendAll(context, diff, undefined);
  const { address, lastApplied } = before;
  const current = await observe(context, address, managedLinks(definition, lastApplied, inputs));
  if (current === undefined) throw goneError(context, address, false);
  return sendAll(context, await rebaseDiff(context, diff, current), current);
}

/** The diff from the object as just read, after a check that no one changed what the program manages. */
async function rebaseDiff(
  context: ObjectContext,
  diff: UpdateDiff,
  current: Observation,
): Promise<UpdateDiff> {
  const { definition, records } = diff;
  const inputs = asIgnored(diff, current);
  const known = await confirmPending(context, records, current);
  return diffUpdate(definition, reconcile(context, known, inputs, current), inputs);
}

/** Sends an update, in two parts if a property must be emptied before another one can be set. */
async function sendAll(
  context: ObjectContext,
  diff: UpdateDiff,
  current: Observation | undefined,
): Promise<Finished> {
  const { definition, records, inputs, remote } = diff;
  const first = emptyingUpdate(definition, inputs, records.lastApplied, [...remote]);
  if (first === undefined) return runWrite(context, updateStrategy(context, diff, current));
  const half = await runWrite(
    context,
    updateStrategy(context, diffUpdate(definition, records, first.inputs), current),
  );
  const { lastApplied } = first;
  return sendSecond(context, { ...half, records: { ...half.records, lastApplied } }, lastApplied, inputs);
}

/** Sends the second of two parts. If it fails, the state records the first. */
async function sendSecond(
  context: ObjectContext,
  half: Finished,
  first: KnownInputs,
  inputs: KnownInputs,
): Promise<Finished> {
  const { definition } = context;
  const { records, body = {} } = half;
  try {
    const { address, revision } = records;
    const current: Observation = { body, address, revision };
    // The user has not seen what else the first response contained, and the second part would send it back.
    const shown = { ...records, observed: records.baseline };
    const moved = conflictsSince(definition, shown, inputs, records.observed);
    assertNoConflict(context, { records, inputs }, current, moved);
    return await runWrite(context, updateStrategy(context, diffUpdate(definition, records, inputs), current));
  } catch (error) {
    if (error instanceof PartialError) throw error;
    const reason = toError(error);
    throw partial(context, { ...records, pending: incomplete(reason) }, first, body, reason);
  }
}

/** True if an update must read the object first: no revision proves what the service holds. */
function mustRead({ definition: { life }, records, inputs }: UpdateDiff): boolean {
  const isKnown = life.check !== undefined && records.revision !== undefined;
  return !isKnown || records.pending !== undefined || (life.check?.looksFirst?.(inputs) ?? false);
}

/**
 * The result if only provider options changed, or nothing that the service does not hold already. The observed value of an
 * edited property is then the desired one, so it becomes the baseline.
 */
function finishUnchanged({ definition, records, inputs }: UpdateDiff): Finished {
  const observed = withoutOthersOwned(definition, records.observed, inputs);
  const before = modelOfInputs(definition, records.lastApplied);
  const now = modelOfInputs(definition, inputs);
  const names = Object.keys({ ...before, ...now });
  const edited = new Set(names.filter((name) => !equalJson(before[name] ?? null, now[name] ?? null)));
  const baseline = {
    ...omit(withoutOthersOwned(definition, records.baseline, inputs), edited),
    ...pick(observed, edited),
  };
  return { records: { ...records, lastApplied: inputs, baseline, observed }, inputs };
}
