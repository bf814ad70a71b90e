import { modelOfBody } from "../diff/models";
import { compareWithPrediction } from "../diff/predict";
import { ActionableError, rerunUp } from "../http/remedies";
import type { KnownInputs, Observation } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { managedLinks, observe } from "../requests/observe";
import { type OutcomeUnknown, type ProbeRead, unknownError } from "../requests/probe";
import { refusedMembers } from "../requests/sentBack";
import { sendObject, type Write, writeToUpdate } from "../requests/write";
import { goneError, reconcile } from "./conflicts";
import { withIgnoredPaths } from "./ignoredPaths";
import { diffUpdate, type UpdateDiff } from "./planned";
import { finish } from "./write/finish";
import { done, type WriteStrategy } from "./write/loop";
import {
  holdsUpdate,
  isDeliveredTwice,
  isUnobservable,
  isUntouched,
  probeAuthorship,
  showsUpdate,
} from "./write/ownership";
import { pendingUpdateError } from "./write/pending";
import type { Finished, PostWrite, ProbedObject } from "./write/result";

/** The update of an object, with its revision if the service checks writes. */
export function updateStrategy(
  context: ObjectContext,
  start: UpdateDiff,
  justRead: Observation | undefined,
): WriteStrategy<ProbedObject, Finished> {
  const { definition } = start;
  const { address, lastApplied } = start.records;
  const links = managedLinks(definition, lastApplied, start.inputs);
  const afterwards = managedLinks(definition, start.inputs, lastApplied);
  let [diff, current] = [start, justRead];
  const refused = new Set<string>();
  /** The last write with an unknown outcome. */
  let unclear: OutcomeUnknown | undefined;
  /** True if a failed precondition may come from this write itself, because a proxy delivered it twice. */
  let isPerhapsOurs = false;
  const toWrite = () =>
    writeToUpdate(definition, { ...diff, changes: diff.main, current: current?.body, refused });
  const finishWith = (result: Pick<PostWrite, "response" | "found" | "write">) =>
    finish(context, {
      records: diff.records,
      inputs: diff.inputs,
      changes: diff.remote,
      links: afterwards,
      ...result,
    });
  return {
    isBasedOnRead: definition.life.check === undefined,

    async send(asking) {
      if (diff.main.length === 0) return done(await finishWith(current ? { found: current } : {}));
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
      return found === undefined ? { isApplied: false } : compareWithUpdate(context, diff, toWrite(), found);
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
      if (cause.kind === "preconditionFailed") isPerhapsOurs ||= showsUpdate(diff, found);
      if (cause.kind === "unknown") {
        isPerhapsOurs ||= cause.isPerhapsOurs === true;
        // If the first write arrives late, it does no harm: its revision no longer matches, or it writes the same values again.
        unclear = cause;
      }
      current = found;
      const inputs = asIgnored(diff, found);
      const isUnclear = unclear !== undefined || isPerhapsOurs;
      const own = {
        ...(isUnclear && { ownWrite: "unknown" as const }),
        ...(isPerhapsOurs && { isPerhapsOurs }),
      };
      const records = reconcile(context, diff.records, inputs, found, own);
      diff = diffUpdate(definition, records, inputs);
    },

    // Not applied: no further attempt is allowed, and the state is unchanged. Otherwise the write stays pending.
    unknown: (outcome) =>
      outcome.verdict === "undecided"
        ? pendingUpdateError(context, diff, outcome)
        : unknownError(outcome, rerunUp()),

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
  context: ObjectContext,
  diff: UpdateDiff,
  write: Write,
  found: Observation,
): Promise<ProbeRead<ProbedObject>> {
  const { definition, records, inputs } = diff;
  const unseen = { isUnobservable: isUnobservable(diff) };
  if (isUntouched(diff, found)) return { isApplied: false, found, ...unseen };
  const isHeld = holdsUpdate(diff, found);
  if (isHeld && compareWithPrediction(definition, inputs, records.baseline, found).unexplained.length === 0)
    return { isApplied: true, found };
  const asked = await probeAuthorship(context, write, found, isHeld);
  return asked.isApplied ? asked : { ...asked, ...unseen };
}

/** The inputs with the observed values of ignored paths, as after a refresh. */
export function asIgnored(
  { definition, records, inputs }: Pick<UpdateDiff, "definition" | "records" | "inputs">,
  { body }: Observation,
): KnownInputs {
  const now = { ...records, observed: modelOfBody(definition, body, inputs) };
  return withIgnoredPaths(definition, now, inputs);
}
