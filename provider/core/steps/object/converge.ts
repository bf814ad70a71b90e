import { emptyingUpdate } from "../../compare/exclusive";
import { modelOfBody, withoutOthersOwned } from "../../compare/model";
import { AdvisedError, upAgain } from "../../http/waysOn";
import { withIgnored } from "../../language/ignored";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { doubtOf, isSentOnceMore, orMoved, type Unproven, unmoved } from "../../requests/doubt";
import { managedLinks, observe } from "../../requests/observe";
import type { LookResult } from "../../requests/sendOnce";
import { type Write, writeOnce, writeToUpdate } from "../../requests/write";
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

/** How often an update starts over because somebody else moved what we do not manage, before it gives up. */
const MOST_ROUNDS = 6;

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

/** Sends what is to be changed until it is done, or somebody else's changes forbid it. */
async function sendUpdates(
  context: ObjectContext,
  before: Records,
  written: Values,
  justRead: Observation | undefined,
): Promise<Finished> {
  const { definition } = context;
  let inputs = written;
  const links = managedLinks(definition, before.applied, inputs);
  const afterwards = managedLinks(definition, inputs, before.applied);
  let records = before;
  let current = justRead;
  let unclear: Error | undefined;
  let tries = 0;
  // Its check may have been lost to itself, should something on the way have sent it twice.
  let isPerhapsOurs: true | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const changes = sending(plannedChanges(definition, records, inputs));
    const main = ofObject(changes);
    if (main.length === 0)
      return finish(context, {
        records,
        inputs,
        links: afterwards,
        changes,
        ...(current && { answer: current }),
      });
    const write = writeToUpdate(definition, { records, inputs, changes: main, current: current?.body });
    const isUnchecked = definition.life.check === undefined && current !== undefined;
    const beforeAgain = unmoved(() => observe(context, write.address, links), current);
    const sent = writeOnce({ ...context, ...(isUnchecked && { beforeAgain }) }, write, async (asking) => {
      const found = await observe(asking, write.address, links);
      if (found === undefined) return { happened: false };
      return lookedFor(context, { records, inputs, write }, found);
    });
    const outcome = await orMoved(sent);
    const work = { records, inputs, links: afterwards, changes };
    if (outcome.kind === "done") return finish(context, { ...work, answer: outcome.answer, write });
    if (outcome.kind === "shown") return finish(context, { ...work, answer: outcome.found });
    if (outcome.kind === "moved") {
      if (outcome.found === undefined) throw gone(context, records.address, true);
      current = outcome.found;
    } else if (outcome.kind === "means") {
      // What is refused may have been sent twice on the way, and the first have come through.
      current = await lookAgain(context, records.address, links, true);
      if (isSentTwice(definition, { records, inputs, changes: main }, current))
        return finish(context, { ...work, answer: current });
      if (showsWrite(definition, records, inputs, current)) isPerhapsOurs = true;
    } else {
      const { why } = outcome;
      const found = outcome.kind === "not shown" ? outcome.found : undefined;
      if (outcome.kind === "not shown" && found === undefined) throw gone(context, records.address, true);
      if (why.isOwnRefusal && outcome.kind === "not shown") throw why;
      if (found === undefined || why.mayStillHappen)
        throw attempted(context, records, inputs, outcome, found);
      if (outcome.kind === "not shown" && outcome.isUndecided) isPerhapsOurs = true;
      // Should the first come late, its token keeps it out, or it writes the same once more: so it is sent again.
      unclear = new AdvisedError(doubtOf(outcome), [upAgain()]);
      tries += 1;
      if (!(await isSentOnceMore(context, tries))) throw unclear;
      current = found;
    }
    inputs = asIgnored(definition, records, inputs, current);
    records = reconciled(context, records, inputs, current, {
      isUnclear: unclear !== undefined || isPerhapsOurs === true,
      ...(isPerhapsOurs && { isPerhapsOurs }),
    });
  }
  throw (
    unclear ??
    new AdvisedError(
      `${context.name(before.address)} keeps moving${isPerhapsOurs ? "" : "; nothing was written"}.`,
      [upAgain()],
    )
  );
}

/** An update of which nobody knows whether it was carried out, or still will be: the state knows what was attempted. */
function attempted(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  outcome: Unproven,
  found: Observation | undefined,
): PartialError {
  const doubt = doubtOf(outcome);
  const next = upAgain(", which knows this write as its own should it have come through");
  const doubtful: Records = { ...records, attempted: inputs, unfinished: doubt };
  return partial(context, doubtful, records.applied, found?.body ?? {}, new AdvisedError(doubt, [next]));
}

/** Whether a write whose answer was unclear was carried out, by what the service holds now. */
async function lookedFor(
  context: ObjectContext,
  { records, inputs, write }: { records: Records; inputs: Values; write: Write },
  found: Observation,
): Promise<LookResult<FoundInstead>> {
  const { definition } = context;
  const unseen = { isBlind: isBlind(definition, records, inputs) };
  if (isUntouched(definition, records, found)) return { happened: false, found, ...unseen };
  const isHeld = holdsWrite(definition, records, inputs, found);
  if (isHeld && explained(definition, inputs, records.settled, found).unexplained.length === 0)
    return { happened: true, found };
  const asked = await askedWhose(context, write, found, isHeld);
  return asked.happened ? asked : { ...asked, ...unseen };
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
