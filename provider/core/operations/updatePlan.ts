import { modelOfBody } from "../diff/models";
import { compareWithPrediction } from "../diff/predict";
import { ActionableError, rerunUp } from "../http/remedies";
import { withIgnored } from "../language/ignored";
import type { KnownInputs, Observation } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { managedLinks, observe } from "../requests/observe";
import {
  describeUnknown,
  isNotApplied,
  type OutcomeUnknown,
  type Sighting,
  sightingOf,
  unknownError,
} from "../requests/probe";
import { refusedMembers } from "../requests/sentBack";
import { sendObject, type Write, writeToUpdate } from "../requests/write";
import type { PartialError } from "../state/errors";
import { driftedInputs } from "../state/outputs";
import { gone, reconcile } from "./conflicts";
import { planUpdate, type UpdatePlan } from "./planned";
import { finish } from "./write/finish";
import { done, type WritePlan } from "./write/loop";
import {
  holdsUpdate,
  isDeliveredTwice,
  isUnobservable,
  isUntouched,
  probeAuthorship,
  showsUpdate,
} from "./write/ownership";
import { type Finished, type PostWrite, type ProbedObject, partial } from "./write/result";

/** The update of an object, with its revision if the service checks writes. */
export function updatePlan(
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
      return found === undefined ? { isApplied: false } : compareWithUpdate(context, plan, toWrite(), found);
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
        isPerhapsOurs ||= sightingOf(cause)?.isUndecided === true;
        // If the first write is applied late, its revision prevents it, or it writes the same values again.
        unclear = cause;
      }
      current = found;
      const inputs = asIgnored(plan, found);
      const isUnclear = unclear !== undefined || isPerhapsOurs;
      const own = {
        ...(isUnclear && { ownWrite: "unknown" as const }),
        ...(isPerhapsOurs && { isPerhapsOurs }),
      };
      const records = reconcile(context, plan.records, inputs, found, own);
      plan = planUpdate(definition, records, inputs);
    },

    // If the probe could read and did not see the write, it was sent as often as allowed: the state stays as it was.
    unknown: (outcome) =>
      isNotApplied(outcome) ? unknownError(outcome, rerunUp()) : pendingUpdate(context, plan, outcome),

    exhausted() {
      if (unclear !== undefined) return unknownError(unclear, rerunUp());
      const what = isPerhapsOurs ? "" : "; nothing was written";
      return new ActionableError(`${context.name(address)} keeps moving${what}.`, [rerunUp()]);
    },
  };
}

/** Whether the object, as the service now holds it, shows an update. */
async function compareWithUpdate(
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
  const doubt = describeUnknown(outcome);
  const next = rerunUp(", which knows this write as its own should it have come through");
  const pending = { kind: "update", inputs, reason: doubt } as const;
  return partial(
    context,
    { ...records, pending },
    records.lastApplied,
    sightingOf(outcome)?.found?.body ?? {},
    new ActionableError(doubt, [next]),
  );
}

/** The inputs with the observed values of ignored paths, as after a refresh. */
export function asIgnored({ definition, records, inputs }: UpdatePlan, { body }: Observation): KnownInputs {
  const now = { ...records, observed: modelOfBody(definition, body, inputs) };
  return withIgnored(inputs, () => driftedInputs(definition, now));
}
