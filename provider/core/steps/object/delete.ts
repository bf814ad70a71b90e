import { plainModel } from "../../compare/model";
import { NotFound } from "../../http/errors";
import { AdvisedError, again, toldBy } from "../../http/waysOn";
import type { CheckedDelete, PlainDelete } from "../../language/creation";
import type { Address, Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import type { StepInput } from "../../language/stepInput";
import { objectContextOf } from "../../requests/context";
import { doubtError, doubtOf, isSentOnceMore, MovedMeanwhile, NotShown } from "../../requests/doubt";
import { managedLinks, observe } from "../../requests/observe";
import { lookContext } from "../../requests/send";
import { type Write, writeOnce } from "../../requests/write";
import { isPerhapsMade, type Records, recordsIn } from "../../state/records";
import type { Inputs } from "../../value/unknown";
import { deleteFromState } from "../stateOnly";
import { reconciled } from "./conflicts";
import { recordsOfOwnCreate } from "./found";

/** How often a delete starts over because somebody else moved what we do not manage. */
const MOST_ROUNDS = 6;

/**
 * Deletes an object, if it is still what was last read. One that is proven gone is a success.
 * @throws ConflictError where others moved what the program manages; nothing is deleted then.
 */
export async function remove(definition: Definition, input: StepInput, outputs: Inputs): Promise<void> {
  const { deletion } = definition.life;
  if (deletion.kind === "stays") return deleteFromState(definition, input, outputs, deletion.as);
  const records = recordsIn(definition, outputs);
  if (deletion.isSkipped?.(records.applied)) return;
  const context = { ...objectContextOf(definition, "delete", input, records.applied, outputs), deletion };
  const isDone = await removed(context, records);
  await deletion.after?.(context, {
    address: records.address,
    inputs: records.applied,
    seen: plainModel(records.seen),
  });
  if (isDone && deletion.leavesBehind !== undefined) input.log("warning", deletion.leavesBehind);
}

/** A delete of what the service has a request for. */
interface Deleting extends ObjectContext {
  readonly deletion: PlainDelete | CheckedDelete;
}

/** Whether anything was deleted. */
async function removed(context: Deleting, records: Records): Promise<boolean> {
  const inputs = records.applied;
  if (isPerhapsMade(records)) return removedIfOurs(context, records);
  const { isChecked } = context.deletion;
  const knowsToken = isChecked && records.token !== undefined && !records.unread && !records.attempted;
  if (knowsToken) return sent(context, records, inputs);
  const current = await there(context, records.address, inputs);
  if (current === undefined) return false;
  const latest = reconciled(context, records, inputs, current);
  return removedAs(context, latest, inputs, current);
}

/**
 * Deletes what was just read, by the definition's own function where it has one; once more where a look has shown that
 * nothing came of it, and that it is still what was last read.
 */
async function removedAs(
  context: Deleting,
  before: Records,
  inputs: Values,
  read: Observation,
): Promise<boolean> {
  const { deletion } = context;
  if (deletion.isChecked || deletion.perform === undefined) return sent(context, before, inputs);
  let [latest, current] = [before, read];
  for (let tries = 1; ; tries++) {
    try {
      const beforeAgain = stillOurs(context, latest, inputs);
      await deletion.perform({ ...context, beforeAgain }, latest.address, inputs, current);
      return true;
    } catch (error) {
      if (error instanceof MovedMeanwhile) return true;
      if (!(error instanceof NotShown && (await isSentOnceMore(context, tries)))) throw error;
      const found = await there(context, latest.address, inputs);
      if (found === undefined) return true;
      tellSentAgain(context, toldBy(error));
      [latest, current] = [reconciled(context, latest, inputs, found, { isUnclear: true }), found];
    }
  }
}

/**
 * Sends the delete, with the token of what was last read where deletes are checked; again where others moved only what
 * we do not manage, or where the connection broke and it is still there.
 */
async function sent(context: Deleting, before: Records, inputs: Values): Promise<boolean> {
  const { address } = before;
  const { route, isChecked } = context.deletion;
  let latest = before;
  // What became of one that was sent before may not show at all.
  let isUnclear = false;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // One that is checked finds nothing of its token in what has its place by then.
    const write: Write = {
      route,
      address,
      inputs,
      ...(isChecked ? { token: latest.token } : { harmsLate: true }),
    };
    const beforeAgain = stillOurs(context, latest, inputs);
    const outcome = await deletedOnce({ ...context, ...(!isChecked && { beforeAgain }) }, write, inputs);
    if (outcome === "gone" || outcome.kind === "shown") return true;
    if (outcome.kind === "open") throw doubtError(outcome);
    if (outcome.kind === "not shown" && (outcome.why.isOwnRefusal || outcome.why.mayStillHappen))
      throw doubtError(outcome);
    const found =
      outcome.kind === "not shown" ? outcome.found : await left(context, latest, inputs, outcome.kind);
    if (found === undefined) return true;
    isUnclear ||= outcome.kind === "not shown";
    latest = reconciled(context, latest, inputs, found, { isUnclear });
    if (outcome.kind !== "not shown") continue;
    if (!(await isSentOnceMore(context, round + 1))) throw doubtError(outcome);
    if (!isChecked) tellSentAgain(context, doubtOf(outcome));
  }
  throw new AdvisedError(`${context.name(address)} keeps moving; it was not deleted.`, [again()]);
}

/** Nobody knows whether the first one is on its way yet: it would take whatever has its place by then. */
function tellSentAgain(context: Deleting, doubt: string): void {
  context.log("warning", `${doubt} It is sent once more; the first may still be carried out.`);
}

/**
 * What a delete that is not checked asks before it is sent again: whether it still is what was last read. One that is gone by
 * then is done: what has its place is somebody else's.
 */
function stillOurs(context: Deleting, latest: Records, inputs: Values): () => Promise<void> {
  return async () => {
    const found = await there(context, latest.address, inputs);
    if (found === undefined) throw new MovedMeanwhile(undefined);
    reconciled(context, latest, inputs, found, { isUnclear: true });
  };
}

/** Sends the delete once. What it does not find is looked at: something on the way may have sent it twice. */
async function deletedOnce(context: Deleting, write: Write, inputs: Values) {
  const { address } = write;
  try {
    return await writeOnce<Observation | undefined>(context, write, async (asking) => {
      const found = await there({ ...asking, deletion: context.deletion }, address, inputs);
      return { happened: found === undefined, found };
    });
  } catch (error) {
    if (error instanceof MovedMeanwhile) return "gone" as const;
    if (!(error instanceof NotFound) || (await there(lookContext(context), address, inputs))) throw error;
    return "gone" as const;
  }
}

/**
 * What is there after an answer: all that is, where the check was lost; and after a yes that proves nothing, the object
 * itself, untouched. What is another one by then is somebody else's.
 */
async function left(
  context: Deleting,
  { address, token }: Records,
  inputs: Values,
  answered: "done" | "means",
): Promise<Observation | undefined> {
  if (answered === "means") return there(context, address, inputs);
  if (!context.deletion.looksAfter) return undefined;
  const found = await there(lookContext(context), address, inputs);
  return found?.token === token ? found : undefined;
}

/** One that is perhaps made is deleted where it is just what was written; whatever else is there is somebody else's. */
async function removedIfOurs(context: Deleting, records: Records): Promise<boolean> {
  const { attempted = {}, address } = records;
  const found = await there(context, address, attempted);
  if (found === undefined) return false;
  const made = recordsOfOwnCreate(context, records, found);
  if (made === undefined) {
    context.log("warning", "it is not what this program would have made, and is left alone");
    return false;
  }
  return removedAs(context, made, attempted, found);
}

/** The object as it is now; undefined where it is gone, or as good as deleted. */
async function there(context: Deleting, address: Address, inputs: Values): Promise<Observation | undefined> {
  const found = await observe(context, address, managedLinks(context.definition, inputs));
  return found && context.deletion.isDone?.(found.body, inputs) ? undefined : found;
}
