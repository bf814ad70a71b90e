import { emptyingUpdate } from "../../compare/exclusive";
import { modelOfBody, withoutOthersOwned } from "../../compare/model";
import { AdvisedError, upAgain } from "../../http/waysOn";
import { withIgnored } from "../../language/ignored";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { managedLinks, observe } from "../../requests/observe";
import {
  describeUnknown,
  isNotApplied,
  type OutcomeUnknown,
  type Sighting,
  unknownError,
} from "../../requests/probe";
import { refusedMembers } from "../../requests/sentBack";
import { sendObject, type Write, writeToUpdate } from "../../requests/write";
import { PartialError } from "../../state/failures";
import { driftedInputs } from "../../state/outputs";
import type { Records } from "../../state/records";
import { toError } from "../../value/error";
import { begunAsNothing, plannedChanges } from "../planned";
import { finish } from "./afterWrite";
import { gone, lookAgain, movementsSince, reconciled, refuseAfterOurs } from "./conflicts";
import { holdsWrite, isBlind, isSentTwice, isUntouched, ofObject, sending, showsWrite } from "./dropped";
import type { Finished, FoundInstead } from "./found";
import { partial } from "./partial";
import { askedWhose, explained } from "./proveOurs";
import { provenAttempt } from "./repeatedAttempt";
import { done, runWrite, type WritePlan } from "./writeLoop";

/**
 * Brings an object that exists to what the program writes. Before every write it knows what the service holds:
 * by the check-and-set token where there is one, else by a read just before.
 * An object that was read a moment ago (an adoption) is handed over in `justRead`.
 * @throws ConflictError where others moved what the program manages; nothing is written then.
 */
export async function converge(
  context: ObjectContext,
  before: Records,
  written: Values,
  justRead?: Observation,
): Promise<Finished> {
  const { definition } = context;
  let inputs = withIgnored(written, () => driftedInputs(definition, before));
  let records = before;
  let current = justRead;
  const planned = sending(plannedChanges(definition, records, inputs));
  const begun = begunAsNothing(definition, records, inputs, planned);
  const isQuiet = planned.length === 0 && begun.length === 0;
  if (isQuiet && records.unfinished === undefined) return unchanged(definition, records, inputs);
  if (current === undefined && (begun.length > 0 || mustLook(definition, records, inputs))) {
    current = await lookAgain(context, records.address, managedLinks(definition, before.applied, inputs));
    inputs = asIgnored(definition, records, inputs, current);
    const known = await provenAttempt(context, records, current);
    records = reconciled(context, known, inputs, current);
  }
  const first = emptyingUpdate(
    definition,
    inputs,
    records.applied,
    sending(plannedChanges(definition, records, inputs)),
  );
  if (first === undefined) return sendUpdates(context, records, inputs, current);
  const half = await sendUpdates(context, records, first.inputs, current);
  const { applied } = first;
  return inTwo(context, { ...half, records: { ...half.records, applied } }, applied, inputs);
}

/** The second of two updates; where it fails, the first one has happened, and the state says so. */
async function inTwo(
  context: ObjectContext,
  half: Finished,
  first: Values,
  inputs: Values,
): Promise<Finished> {
  const { records, body = {} } = half;
  try {
    const { address, token } = records;
    const current = { body, address, ...(token !== undefined && { token }) };
    // What the first one was answered beside what it wrote nobody has been shown: the second would carry it back.
    const shown = { ...records, seen: records.settled };
    const moved = movementsSince(context.definition, shown, inputs, records.seen);
    refuseAfterOurs(context, { records, inputs }, current, moved);
    return await sendUpdates(context, records, inputs, current);
  } catch (error) {
    if (error instanceof PartialError) throw error;
    const reason = toError(error);
    throw partial(context, { ...records, unfinished: reason.message }, first, body, reason);
  }
}

/** Sends the changes. Ends at once if there are none. */
function sendUpdates(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  current: Observation | undefined,
): Promise<Finished> {
  return runWrite(context, updatePlan(context, records, inputs, current));
}

/** The update of an object, with its revision if the service checks writes. */
function updatePlan(
  context: ObjectContext,
  before: Records,
  written: Values,
  justRead: Observation | undefined,
): WritePlan<FoundInstead, Finished> {
  const { definition } = context;
  const links = managedLinks(definition, before.applied, written);
  const afterwards = managedLinks(definition, written, before.applied);
  let [records, inputs, current] = [before, written, justRead];
  const refused = new Set<string>();
  /** The last write with an unknown outcome. */
  let unclear: OutcomeUnknown | undefined;
  /** True if a failed precondition may come from this write itself, because a proxy sent it twice. */
  let isPerhapsOurs = false;
  const changes = () => sending(plannedChanges(definition, records, inputs));
  const toWrite = () =>
    writeToUpdate(definition, {
      records,
      inputs,
      changes: ofObject(changes()),
      current: current?.body,
      refused,
    });
  const work = () => ({ records, inputs, links: afterwards, changes: changes() });
  return {
    isBasedOnRead: definition.life.check === undefined,

    async send(asking) {
      if (ofObject(changes()).length === 0)
        return done(await finish(context, { ...work(), ...(current && { answer: current }) }));
      const write = toWrite();
      const result = await sendObject(asking, write);
      if (result.kind !== "rejected" || result.answer === undefined) return result;
      const members = refusedMembers(context, write, result.answer);
      for (const member of members) refused.add(member);
      return members.length === 0 ? result : { kind: "notSent" };
    },

    applied: async (answer) => done(await finish(context, { ...work(), answer, write: toWrite() })),

    async probe(asking) {
      const found = await observe(asking, records.address, links);
      if (found === undefined) return { isApplied: false };
      return sightingOf(context, { records, inputs, write: toWrite() }, found);
    },

    shown: ({ found }) => finish(context, { ...work(), answer: found }),

    read: () => observe(context, records.address, links),

    async conclude(found, cause) {
      if (found === undefined) throw gone(context, records.address, true);
      const isFailed = cause.kind === "preconditionFailed";
      if (!isFailed || !isSentTwice(definition, { ...work(), changes: ofObject(changes()) }, found))
        return undefined;
      return done(await finish(context, { ...work(), answer: found }));
    },

    rebase(found, cause) {
      if (found === undefined) return;
      if (cause.kind === "preconditionFailed")
        isPerhapsOurs ||= showsWrite(definition, records, inputs, found);
      if (cause.kind === "unknown") {
        isPerhapsOurs ||= isUndecided(cause);
        // If it is applied late, its revision prevents it, or it writes the same values again.
        unclear = cause;
      }
      current = found;
      inputs = asIgnored(definition, records, inputs, found);
      records = reconciled(context, records, inputs, found, {
        isUnclear: unclear !== undefined || isPerhapsOurs,
        ...(isPerhapsOurs && { isPerhapsOurs }),
      });
    },

    unknown(outcome) {
      if (isNotApplied(outcome)) return unknownError(outcome, upAgain());
      return pendingUpdate(context, records, inputs, outcome);
    },

    exhausted: () =>
      unclear !== undefined
        ? unknownError(unclear, upAgain())
        : new AdvisedError(
            `${context.name(before.address)} keeps moving${isPerhapsOurs ? "" : "; nothing was written"}.`,
            [upAgain()],
          ),
  };
}

/** True if the object found may come from the write: the request that would decide it got no response. */
function isUndecided({ probed }: OutcomeUnknown): boolean {
  return probed !== undefined && !(probed instanceof Error) && probed.isUndecided === true;
}

/** An update of which no one knows whether it was or will be applied: the state records what was attempted. */
function pendingUpdate(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  outcome: OutcomeUnknown<Observation>,
): PartialError {
  const { probed } = outcome;
  const found = probed === undefined || probed instanceof Error ? undefined : probed.found;
  const doubt = describeUnknown(outcome);
  const next = upAgain(", which knows this write as its own should it have come through");
  const doubtful: Records = { ...records, attempted: inputs, unfinished: doubt };
  return partial(context, doubtful, records.applied, found?.body ?? {}, new AdvisedError(doubt, [next]));
}

/** Whether the object, as the service now holds it, shows a write. */
async function sightingOf(
  context: ObjectContext,
  { records, inputs, write }: { records: Records; inputs: Values; write: Write },
  found: Observation,
): Promise<Sighting<FoundInstead>> {
  const { definition } = context;
  const unseen = { isUnobservable: isBlind(definition, records, inputs) };
  if (isUntouched(definition, records, found)) return { isApplied: false, found, ...unseen };
  const isHeld = holdsWrite(definition, records, inputs, found);
  if (isHeld && explained(definition, inputs, records.settled, found).unexplained.length === 0)
    return { isApplied: true, found };
  const asked = await askedWhose(context, write, found, isHeld);
  return asked.isApplied ? asked : { ...asked, ...unseen };
}

/** The inputs with what the program ignores as it was just read, as they would be after a refresh. */
function asIgnored(definition: Definition, records: Records, inputs: Values, { body }: Observation): Values {
  const now = { ...records, seen: modelOfBody(definition, body, inputs) };
  return withIgnored(inputs, () => driftedInputs(definition, now));
}

function mustLook(definition: Definition, records: Records, inputs: Values): boolean {
  const { check } = definition.life;
  const hasToken = check !== undefined && records.token !== undefined;
  return (
    !hasToken ||
    records.unread === true ||
    records.attempted !== undefined ||
    records.unfinished !== undefined ||
    (check?.looksFirst?.(inputs) ?? false)
  );
}

/** Only what steers the provider changed, or nothing that the service does not hold already: nothing is sent. */
function unchanged(definition: Definition, records: Records, inputs: Values): Finished {
  const settled = withoutOthersOwned(definition, records.settled, inputs);
  const seen = withoutOthersOwned(definition, records.seen, inputs);
  return { records: { ...records, applied: inputs, settled, seen }, inputs };
}
