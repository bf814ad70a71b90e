import { missingPaths } from "../../compare/missing";
import { ServiceError } from "../../http/errors";
import type { HttpAnswer } from "../../http/request";
import { AdvisedError, checked, upAgain } from "../../http/waysOn";
import { addressOf, idOfInputs, knownAddress } from "../../language/address";
import { looksBeforeCreate } from "../../language/creation";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import type { StepInput } from "../../language/stepInput";
import { objectContextOf } from "../../requests/context";
import { isSentOnceMore, orMoved, unmoved } from "../../requests/doubt";
import { errorFrom, managedLinks } from "../../requests/observe";
import type { LookResult } from "../../requests/sendOnce";
import { type Write, writeOnce, writeToCreate } from "../../requests/write";
import { outputsOf } from "../../state/outputs";
import type { Records } from "../../state/records";
import type { Json } from "../../value/json";
import { plannedChanges } from "../planned";
import { withTextRead } from "../readText";
import { finish } from "./afterWrite";
import { canFind, find, takenOver } from "./existing";
import { type Finished, type FoundInstead, recognised } from "./found";
import { perhapsMade } from "./perhaps";
import { askedWhose, explained } from "./proveOurs";

/** A resource as a step leaves it. */
export interface Made {
  readonly id: string;
  readonly outputs: { [property: string]: Json };
}

/**
 * Creates an object, only if it is absent. What exists already is taken over only with `adopt`. An unclear
 * answer is looked at: what is found identical to ours is ours.
 * @throws AlreadyExistsError, ConflictError, PartialError, ServiceError.
 */
export async function create(definition: Definition, input: StepInput, written: Values): Promise<Made> {
  const context = objectContextOf(definition, "create", input, written);
  const inputs = await withTextRead(context, written, []);
  const finished = await createdOrAdopted(context, inputs);
  const { records } = finished;
  return {
    id: idOfInputs(definition, input.connection, records.address, inputs),
    outputs: outputsOf(definition, { ...inputs }, records, finished.body ?? {}),
  };
}

/** What a service says to be there, and does not show, is asked for once more. */
const MOST_REFUSALS = 2;

/** Creates what these inputs say, or takes over what is there, where the program lets it. */
export async function createdOrAdopted(context: ObjectContext, inputs: Values): Promise<Finished> {
  const { definition, connection } = context;
  const { reads } = definition.life;
  const named = knownAddress(addressOf(definition, connection, inputs));
  const address = (await reads.locate?.(context, named)) ?? named;
  const isLookedFor = looksBeforeCreate(definition.life);
  const there = isLookedFor ? await find(context, address, inputs) : undefined;
  if (there) return takenOver(context, there, inputs);
  const blank: Records = { address, applied: {}, settled: {}, seen: {} };
  const work = {
    records: blank,
    inputs,
    links: managedLinks(definition, inputs),
    changes: linkChanges(definition, blank, inputs),
  };
  const write = writeToCreate(definition, address, inputs);
  const asked = connection.runtime.now();
  const beforeAgain = unmoved(() => find(context, address, inputs), undefined);
  const finishedWith = (found: FoundInstead) =>
    finish(context, { ...work, records: { ...blank, address: found.address }, answer: found });
  /** What was found, where it is what this create has made: it holds all of it, and was not there before. */
  const finishedAsOurs = async (found: Observation) => {
    const became = await asOurs(context, found, write, asked);
    return became.happened ? finishedWith(became.found) : undefined;
  };
  /** Why it is not known what became of a try before this one, which no look has shown. */
  let doubt: ServiceError | undefined;
  let refusals = 0;
  for (let tries = 1; ; tries++) {
    const sent = writeOnce({ ...context, ...(isLookedFor && { beforeAgain }) }, write, async (asking) =>
      asOurs(context, await find(asking, address, inputs), write, asked),
    );
    const outcome = await orMoved(sent);
    switch (outcome.kind) {
      case "moved": {
        const { found } = outcome;
        if (found === undefined) break;
        return (doubt && (await finishedAsOurs(found))) ?? takenOver(context, found, inputs, { doubt });
      }
      case "done":
        return finish(context, { ...work, answer: outcome.answer, write });
      case "shown":
        return finishedWith(outcome.found);
      case "means": {
        const found = await foundAfterRefusal(context, write, outcome.answer, inputs);
        // It was not there a moment ago: what is just as written is our own, sent twice on the way, or no other than it.
        const own = found && (isLookedFor || doubt) && (await finishedAsOurs(found));
        if (own) return own;
        if (found) return takenOver(context, found, inputs, { isRefused: true, doubt });
        refusals += 1;
        if (refusals < MOST_REFUSALS) break;
        throw new AdvisedError(
          `${context.name(address)}: the service says that it exists, and does not show it.`,
          [checked("The token may lack the right to read it: check its rights.")],
        );
      }
      case "not shown": {
        doubt = outcome.why;
        if (outcome.found) return takenOver(context, outcome.found, inputs, { doubt });
        // An answer that came, and said no, is not asked again.
        if (outcome.why.isOwnRefusal) throw outcome.why;
        if (outcome.why.mayStillHappen) throw perhapsMade(context, address, inputs, outcome);
        if (!canFind(definition, inputs) || !(await isSentOnceMore(context, tries)))
          throw perhapsMade(context, address, inputs, outcome);
        break;
      }
      case "open":
        throw perhapsMade(context, address, inputs, outcome);
    }
  }
}

/** Looks for what the service refused to make. @throws AdvisedError that tells both, where it cannot be looked at */
async function foundAfterRefusal(
  context: ObjectContext,
  { address, route }: Write,
  refusal: HttpAnswer,
  inputs: Values,
): Promise<Observation | undefined> {
  try {
    return await find(context, address, inputs);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Its advice would say whose it is.
    const { what } = errorFrom(context, refusal, route, address, "write");
    throw new AdvisedError(`${what}. Whose it is could not be seen: ${error.told}`, [upAgain()]);
  }
}

/** How far two clocks may be apart before an object that was just made is taken for an older one. */
const CLOCKS_APART_MS = 30_000;

/**
 * After an unclear answer: what was found, if it is ours, or may be as far as can be told. What holds everything that we
 * wrote, and was not there before, is what we wrote.
 */
async function asOurs(
  context: ObjectContext,
  found: Observation | undefined,
  write: Write,
  asked: number,
): Promise<LookResult<FoundInstead>> {
  const { definition } = context;
  const { ours } = definition.life.creation;
  if (found === undefined) return { happened: false };
  if (ours?.recognise) {
    const own = recognised(ours, found, write.inputs);
    return own ? { happened: true, found: own } : { happened: false, found };
  }
  const born = ours && found.body[ours.born];
  if (typeof born === "string" && Date.parse(born) < asked - CLOCKS_APART_MS)
    return { happened: false, found };
  const isHeld = missingPaths(definition, write.inputs, found).length === 0;
  if (isHeld && isAsCreated(definition, write.inputs, found)) return { happened: true, found };
  return askedWhose(context, write, found, isHeld);
}

/** Whether nobody can have added anything: by what it holds, or because the service says that nobody wrote it since. */
function isAsCreated(definition: Definition, inputs: Values, found: Observation): boolean {
  const { check } = definition.life;
  const isUntouched = check?.proof === "repeated" && check.isUntouched(found.body);
  return isUntouched || explained(definition, inputs, {}, found).unexplained.length === 0;
}

function linkChanges(definition: Definition, blank: Records, inputs: Values) {
  const later = definition.life.links.filter((link) => !link.isCreatedWith);
  const linked = new Set(later.map((link) => link.field));
  return linked.size === 0
    ? []
    : plannedChanges(definition, blank, inputs).filter(({ field }) => linked.has(field.name));
}
