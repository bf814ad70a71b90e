import { rivalsOf } from "../diff/exclusive";
import { modelOfBody, modelOfInputs, withoutOthersOwned } from "../diff/models";
import { compareWithPrediction } from "../diff/predict";
import { ActionableError, rerunUp } from "../http/remedies";
import type { KnownInputs, Observation } from "../language/object";
import { repeatsOthersValues } from "../requests/body";
import { managedLinks, observe } from "../requests/observe";
import { type OutcomeUnknown, type ProbedObject, type ProbeRead, unknownError } from "../requests/probe";
import { refusedMembers } from "../requests/sentBack";
import { sendObject, type Write, writeToUpdate } from "../requests/write";
import {
  addedAsEmpty,
  conflictsSince,
  diffUpdate,
  type RecordedObject,
  type UpdateDiff,
} from "../state/changes";
import { PartialError } from "../state/errors";
import { toError } from "../value/error";
import { equalJson, omit, pick } from "../value/json";
import { metadataOf } from "../value/programInputs";
import { assertNoConflict, assertNotHeld, goneError } from "./conflicts";
import { withIgnoredPaths } from "./ignoredPaths";
import { reconcile } from "./reconcile";
import { finish } from "./write/finish";
import { done, runWrite, type WriteStrategy } from "./write/loop";
import {
  holdsUpdate,
  isDeliveredTwice,
  isRevisionUnchanged,
  isUnobservable,
  probeAuthorship,
  showsUpdate,
} from "./write/ownership";
import { confirmPending, pendingUpdateError } from "./write/pending";
import { type Finished, incomplete, type PostWrite, partial } from "./write/result";

/**
 * Brings an existing object to the program's inputs. Before every write it knows what the service holds: by the revision if
 * there is one, else by a read just before.
 * @param justRead the object, if it was read a moment ago (an adoption)
 * @throws ConflictError if others changed what the program manages; nothing is written then.
 */
export async function converge(object: RecordedObject, justRead?: Observation): Promise<Finished> {
  const { context, records: before } = object;
  const { definition } = context;
  const inputs = asIgnored(object);
  const diff = diffUpdate(context, before, inputs);
  const addedEmpty = addedAsEmpty(definition, before, inputs, diff.remote);
  const hasNoChanges = diff.remote.length === 0 && addedEmpty.length === 0;
  if (hasNoChanges && before.pending === undefined) return finishUnchanged(diff);
  if (justRead !== undefined) return sendAll(diff, justRead);
  if (addedEmpty.length === 0 && !mustRead(diff)) return sendAll(diff);
  const { address, lastApplied } = before;
  const current = await observe(context, address, managedLinks(definition, lastApplied, inputs));
  if (current === undefined) throw goneError(context, address, false);
  return sendAll(await rebaseDiff(diff, current), current);
}

/** The diff from the object as just read, after a check that no one changed what the program manages. */
async function rebaseDiff(diff: UpdateDiff, current: Observation): Promise<UpdateDiff> {
  const { context } = diff;
  const inputs = asIgnored(diff, current);
  const isPending = diff.records.pending !== undefined;
  const records = isPending ? await confirmPending(context, diff.records, current) : diff.records;
  return diffUpdate(context, reconcile({ context, records, inputs }, current), inputs);
}

/** Sends an update, in two parts if a property must be emptied before another one can be set. */
async function sendAll(diff: UpdateDiff, current?: Observation): Promise<Finished> {
  const { context, definition, records, inputs, remote } = diff;
  const first = rivalsOf(definition)?.emptyingUpdate(inputs, records.lastApplied, remote);
  if (first === undefined) return runWrite(context, updateStrategy(diff, current));
  const half = await runWrite(context, updateStrategy(diffUpdate(context, records, first.inputs), current));
  const { lastApplied } = first;
  return sendSecond({ context, records: { ...half.records, lastApplied }, inputs }, half.body ?? {});
}

/** Sends the second of two parts. If it fails, the state records the first. */
async function sendSecond(object: RecordedObject, body: Observation["body"]): Promise<Finished> {
  const { context, records, inputs } = object;
  try {
    const { address, revision } = records;
    const current: Observation = { body, address, revision };
    // The user has not seen what else the first response contained, and the second part would send it back.
    const shown = { ...records, observed: records.baseline };
    const moved = conflictsSince(context.definition, shown, inputs, records.observed);
    assertNoConflict(object, current, moved);
    return await runWrite(context, updateStrategy(diffUpdate(context, records, inputs), current));
  } catch (error) {
    if (error instanceof PartialError) throw error;
    const reason = toError(error);
    throw partial(context, { ...records, pending: incomplete(reason) }, { reason, body });
  }
}

/**
 * True if an update must read the object first: no revision proves what the service holds, or the update repeats values that
 * others manage.
 */
function mustRead({ definition, records, inputs, main }: UpdateDiff): boolean {
  const { check } = definition.life;
  const isKnown = check !== undefined && records.revision !== undefined;
  if (!isKnown || records.pending !== undefined) return true;
  return (check.readsFirst?.(inputs) ?? false) || repeatsOthersValues(definition, inputs, main);
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

/** The update of an object, with its revision if the service checks writes. */
function updateStrategy(start: UpdateDiff, justRead?: Observation): WriteStrategy<ProbedObject, Finished> {
  const { context, definition } = start;
  const { address, lastApplied } = start.records;
  const links = managedLinks(definition, lastApplied, start.inputs);
  let [diff, current] = [start, justRead];
  const refused = new Set<string>();
  /** The last write with an unknown outcome. */
  let unclear: OutcomeUnknown | undefined;
  /** True if a failed precondition may come from this write itself, because a proxy delivered it twice. */
  let isPerhapsOurs = false;
  const isUnclear = () => unclear !== undefined || isPerhapsOurs;
  const toWrite = () =>
    writeToUpdate(definition, { ...diff, changes: diff.main, current: current?.body, refused });
  const finishWith = (result: Pick<PostWrite, "response" | "found" | "write">) =>
    finish({ ...diff, changes: diff.remote, ...result });
  return {
    isBasedOnRead: definition.life.check === undefined,

    async send(asking) {
      if (diff.main.length === 0) {
        // An earlier attempt was perhaps applied: its response was lost, and the receipt with it.
        const { receipt: _, ...records } = diff.records;
        if (isUnclear()) diff = { ...diff, records };
        return done(await finishWith(current ? { found: current } : {}));
      }
      const write = toWrite();
      const result = await sendObject(asking, write);
      if (result.kind !== "rejected" || result.answer === undefined) return result;
      const members = refusedMembers(context, write, result.answer);
      for (const member of members) refused.add(member);
      return members.length === 0 ? result : { kind: "notSent" };
    },

    applied: async (response) => done(await finishWith({ response, write: toWrite() })),

    async probe(asking) {
      const found = await observe(asking, address, links);
      return found === undefined ? { isApplied: false } : compareWithUpdate(diff, toWrite(), found);
    },

    shown: ({ found }) => finishWith({ found }),

    read: () => observe(context, address, links),

    async conclude(found, cause) {
      if (found === undefined)
        throw goneError(context, address, cause.kind !== "notSent" || unclear !== undefined);
      if (cause.kind !== "preconditionFailed" || !isDeliveredTwice(diff, found)) return undefined;
      return done(await finishWith({ found }));
    },

    rebase(found, cause) {
      if (found === undefined) return;
      assertNotHeld(context, diff.records, found, cause);
      if (cause.kind === "preconditionFailed") isPerhapsOurs ||= showsUpdate(diff, found);
      if (cause.kind === "unknown") {
        isPerhapsOurs ||= cause.isPerhapsOurs === true;
        // If the first write arrives late, its revision no longer matches. Without check-and-set it writes the same values
        // again; an edit between both writes is then lost, as in the round trip before any write without check-and-set.
        unclear = cause;
      }
      current = found;
      const inputs = asIgnored(diff, found);
      const own = {
        ...(isUnclear() && { ownWrite: "unknown" as const }),
        ...(isPerhapsOurs && { isPerhapsOurs }),
      };
      diff = diffUpdate(context, reconcile({ ...diff, inputs }, found, own), inputs);
    },

    // Undecided: the write stays pending. Otherwise no further attempt is allowed, and the state is unchanged.
    unknown: (outcome) =>
      outcome.verdict === "undecided" ? pendingUpdateError(diff, outcome) : unknownError(outcome, rerunUp()),

    exhaustedError() {
      if (unclear !== undefined) return unknownError(unclear, rerunUp());
      const what = isPerhapsOurs ? "" : "; nothing was written";
      return new ActionableError(`${context.name(address)} keeps changing${what}.`, [rerunUp()], {
        outcome: isPerhapsOurs ? "unknown" : "notApplied",
      });
    },
  };
}

/** Whether the object, as the service now holds it, shows an update. */
async function compareWithUpdate(
  diff: UpdateDiff,
  write: Write,
  found: Observation,
): Promise<ProbeRead<ProbedObject>> {
  const { context, definition, records, inputs } = diff;
  const unobservable = { isUnobservable: isUnobservable(diff) };
  if (isRevisionUnchanged(diff, found)) return { isApplied: false, found, ...unobservable };
  const isHeld = holdsUpdate(diff, found);
  if (isHeld && compareWithPrediction(definition, inputs, records.baseline, found).unexplained.length === 0)
    return { isApplied: true, found };
  const authorship = await probeAuthorship(context, write, found, isHeld);
  return authorship.isApplied ? authorship : { ...authorship, ...unobservable };
}

/** The inputs with the observed values of ignored paths: as recorded, or as in the object as just read. */
export function asIgnored({ context, records, inputs }: RecordedObject, current?: Observation): KnownInputs {
  const { definition } = context;
  if (metadataOf(inputs).ignoredPaths.length === 0) return inputs;
  const observed = current ? modelOfBody(definition, current.body, inputs) : records.observed;
  return withIgnoredPaths(definition, { ...records, observed }, inputs);
}
