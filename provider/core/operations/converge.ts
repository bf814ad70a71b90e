import { emptyingUpdate } from "../compare/exclusive";
import { modelOfBody, withoutOthersOwned } from "../compare/model";
import { AdvisedError, upAgain } from "../http/waysOn";
import { withIgnored } from "../language/ignored";
import type { Observation, Values } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { managedLinks, observe } from "../requests/observe";
import {
  describeUnknown,
  isNotApplied,
  type OutcomeUnknown,
  type Sighting,
  unknownError,
} from "../requests/probe";
import { refusedMembers } from "../requests/sentBack";
import { sendObject, type Write, writeToUpdate } from "../requests/write";
import { PartialError } from "../state/failures";
import { driftedInputs } from "../state/outputs";
import type { Records } from "../state/records";
import { toError } from "../value/error";
import { assertNoneMoved, gone, movementsSince, readExisting, reconcile } from "./conflicts";
import { addedAsEmpty, planUpdate, type UpdatePlan } from "./planned";
import { compareWithPrediction } from "./write/baseline";
import { finish } from "./write/finish";
import { done, runWrite, type WritePlan } from "./write/loop";
import { holdsUpdate, isDeliveredTwice, isUnobservable, isUntouched, showsUpdate } from "./write/ownership";
import { confirmPending } from "./write/pending";
import { type Finished, incomplete, type PostWrite, type ProbedObject, partial } from "./write/result";
import { probeAuthorship } from "./write/verify";

/**
 * Brings an existing object to the program's inputs. Before every write it knows what the service holds: by the revision if
 * there is one, else by a read just before.
 * @param justRead the object, if it was read a moment ago (an adoption)
 * @throws ConflictError if others changed what the program manages; nothing is written then.
 */
export async function converge(
  context: ObjectContext,
  before: Records,
  written: Values,
  justRead?: Observation,
): Promise<Finished> {
  const { definition } = context;
  const inputs = withIgnored(written, () => driftedInputs(definition, before));
  const plan = planUpdate(definition, before, inputs);
  const begun = addedAsEmpty(definition, before, inputs, plan.remote);
  const isQuiet = plan.remote.length === 0 && begun.length === 0;
  if (isQuiet && before.pending === undefined) return unchanged(plan);
  if (justRead !== undefined) return sendAll(context, plan, justRead);
  if (begun.length === 0 && !mustRead(plan)) return sendAll(context, plan, undefined);
  const current = await readExisting(
    context,
    before.address,
    managedLinks(definition, before.lastApplied, inputs),
  );
  return sendAll(context, await basedOn(context, plan, current), current);
}

/** The plan from the object as just read, after a check that no one changed what the program manages. */
async function basedOn(context: ObjectContext, plan: UpdatePlan, current: Observation): Promise<UpdatePlan> {
  const { definition, records } = plan;
  const inputs = asIgnored(plan, current);
  const known = await confirmPending(context, records, current);
  return planUpdate(definition, reconcile(context, known, inputs, current), inputs);
}

/** Sends an update, in two parts if a property must be emptied before another one can be set. */
async function sendAll(
  context: ObjectContext,
  plan: UpdatePlan,
  current: Observation | undefined,
): Promise<Finished> {
  const { definition, records, inputs, remote } = plan;
  const first = emptyingUpdate(definition, inputs, records.lastApplied, [...remote]);
  if (first === undefined) return runWrite(context, updatePlan(context, plan, current));
  const half = await runWrite(
    context,
    updatePlan(context, planUpdate(definition, records, first.inputs), current),
  );
  const { lastApplied } = first;
  return sendSecond(context, { ...half, records: { ...half.records, lastApplied } }, lastApplied, inputs);
}

/** Sends the second of two parts. If it fails, the state records the first. */
async function sendSecond(
  context: ObjectContext,
  half: Finished,
  first: Values,
  inputs: Values,
): Promise<Finished> {
  const { definition } = context;
  const { records, body = {} } = half;
  try {
    const { address, revision } = records;
    const current = { body, address, ...(revision !== undefined && { token: revision }) };
    // The user has not seen what else the first response contained, and the second part would send it back.
    const shown = { ...records, observed: records.baseline };
    const moved = movementsSince(definition, shown, inputs, records.observed);
    assertNoneMoved(context, { records, inputs }, current, moved);
    return await runWrite(context, updatePlan(context, planUpdate(definition, records, inputs), current));
  } catch (error) {
    if (error instanceof PartialError) throw error;
    const reason = toError(error);
    throw partial(context, { ...records, pending: incomplete(reason) }, first, body, reason);
  }
}

/** The update of an object, with its revision if the service checks writes. */
function updatePlan(
  context: ObjectContext,
  start: UpdatePlan,
  justRead: Observation | undefined,
): WritePlan<ProbedObject, Finished> {
  const { definition } = start;
  const { address, lastApplied } = start.records;
  const links = managedLinks(definition, lastApplied, start.inputs);
  const afterwards = managedLinks(definition, start.inputs, lastApplied);
  let [plan, current] = [start, justRead];
  const refused = new Set<string>();
  /** The last write with an unknown outcome. */
  let unclear: OutcomeUnknown | undefined;
  /** True if a failed precondition may come from this write itself, because a proxy delivered it twice. */
  let isPerhapsOurs = false;
  const toWrite = () =>
    writeToUpdate(definition, { ...plan, changes: plan.main, current: current?.body, refused });
  const finished = (result: Pick<PostWrite, "answer" | "write">) =>
    finish(context, {
      records: plan.records,
      inputs: plan.inputs,
      changes: plan.remote,
      links: afterwards,
      ...result,
    });
  return {
    isBasedOnRead: definition.life.check === undefined,

    async send(asking) {
      if (plan.main.length === 0) return done(await finished(current ? { answer: current } : {}));
      const write = toWrite();
      const result = await sendObject(asking, write);
      if (result.kind !== "rejected" || result.answer === undefined) return result;
      const members = refusedMembers(context, write, result.answer);
      for (const member of members) refused.add(member);
      return members.length === 0 ? result : { kind: "notSent" };
    },

    applied: async (answer) => done(await finished({ answer, write: toWrite() })),

    async probe(asking) {
      const found = await observe(asking, address, links);
      return found === undefined ? { isApplied: false } : sightingOf(context, plan, toWrite(), found);
    },

    shown: ({ found }) => finished({ answer: found }),

    read: () => observe(context, address, links),

    async conclude(found, cause) {
      if (found === undefined) throw gone(context, address, true);
      if (cause.kind !== "preconditionFailed" || !isDeliveredTwice(plan, found)) return undefined;
      return done(await finished({ answer: found }));
    },

    rebase(found, cause) {
      if (found === undefined) return;
      if (cause.kind === "preconditionFailed") isPerhapsOurs ||= showsUpdate(plan, found);
      if (cause.kind === "unknown") {
        isPerhapsOurs ||= isUndecided(cause);
        // If the first write is applied late, its revision prevents it, or it writes the same values again.
        unclear = cause;
      }
      current = found;
      const inputs = asIgnored(plan, found);
      const isUnclear = unclear !== undefined || isPerhapsOurs;
      const records = reconcile(context, plan.records, inputs, found, {
        isUnclear,
        ...(isPerhapsOurs && { isPerhapsOurs }),
      });
      plan = planUpdate(definition, records, inputs);
    },

    unknown: (outcome) =>
      isNotApplied(outcome) ? unknownError(outcome, upAgain()) : pendingUpdate(context, plan, outcome),

    exhausted() {
      if (unclear !== undefined) return unknownError(unclear, upAgain());
      const what = isPerhapsOurs ? "" : "; nothing was written";
      return new AdvisedError(`${context.name(address)} keeps moving${what}.`, [upAgain()]);
    },
  };
}

/** True if the object found may come from the write: the request that would decide it got no response. */
function isUndecided({ probed }: OutcomeUnknown): boolean {
  return probed !== undefined && !(probed instanceof Error) && probed.isUndecided === true;
}

/** Whether the object, as the service now holds it, shows an update. */
async function sightingOf(
  context: ObjectContext,
  plan: UpdatePlan,
  write: Write,
  found: Observation,
): Promise<Sighting<ProbedObject>> {
  const { definition, records, inputs } = plan;
  const unseen = { isUnobservable: isUnobservable(plan) };
  if (isUntouched(plan, found)) return { isApplied: false, found, ...unseen };
  const isHeld = holdsUpdate(plan, found);
  if (isHeld && compareWithPrediction(definition, inputs, records.baseline, found).unexplained.length === 0)
    return { isApplied: true, found };
  const asked = await probeAuthorship(context, write, found, isHeld);
  return asked.isApplied ? asked : { ...asked, ...unseen };
}

/** An update of which no one knows whether it was or will be applied: the state records what was attempted. */
function pendingUpdate(
  context: ObjectContext,
  { records, inputs }: UpdatePlan,
  outcome: OutcomeUnknown<Observation>,
): PartialError {
  const { probed } = outcome;
  const found = probed === undefined || probed instanceof Error ? undefined : probed.found;
  const doubt = describeUnknown(outcome);
  const next = upAgain(", which knows this write as its own should it have come through");
  const pending = { kind: "update", inputs, reason: doubt } as const;
  return partial(
    context,
    { ...records, pending },
    records.lastApplied,
    found?.body ?? {},
    new AdvisedError(doubt, [next]),
  );
}

/** The inputs with the observed values of ignored paths, as after a refresh. */
function asIgnored({ definition, records, inputs }: UpdatePlan, { body }: Observation): Values {
  const now = { ...records, observed: modelOfBody(definition, body, inputs) };
  return withIgnored(inputs, () => driftedInputs(definition, now));
}

/** True if an update must read the object first: no revision proves what the service holds. */
function mustRead({ definition: { life }, records, inputs }: UpdatePlan): boolean {
  const isKnown = life.check !== undefined && records.revision !== undefined;
  return !isKnown || records.pending !== undefined || (life.check?.looksFirst?.(inputs) ?? false);
}

/** The result if only provider options changed, or nothing that the service does not hold already. */
function unchanged({ definition, records, inputs }: UpdatePlan): Finished {
  const settled = withoutOthersOwned(definition, records.baseline, inputs);
  const seen = withoutOthersOwned(definition, records.observed, inputs);
  return { records: { ...records, lastApplied: inputs, baseline: settled, observed: seen }, inputs };
}
