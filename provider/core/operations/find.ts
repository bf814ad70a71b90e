import { missingPaths } from "../compare/missing";
import type { Recognised, Search } from "../language/creation";
import type { Address, KnownInputs, Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { managedLinks, observe } from "../requests/observe";
import { pendingInputs, type Records } from "../state/records";
import { NO_INPUTS } from "../value/programInputs";
import { extraValues } from "./identical";
import { recordsAsFound } from "./write/result";

/** The object of this program's inputs, if it exists. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
): Promise<Observation | undefined> {
  const { definition } = context;
  const search = searchOf(definition);
  return search
    ? search.find(context, address, inputs)
    : observe(context, address, managedLinks(definition, {}, inputs));
}

/** True if the object of these inputs can be found. Otherwise a create whose request was lost is never sent again. */
export function canFind(definition: Definition, inputs: KnownInputs): boolean {
  return searchOf(definition)?.canFind(inputs) ?? true;
}

function searchOf({ life }: Definition): Search | undefined {
  const { existing } = life.creation;
  return existing?.by === "a look" ? existing.search : undefined;
}

/** An object that its definition recognises as the one that these inputs created, with the complete address. */
export function matchCreated(
  { recognise }: Recognised,
  found: Observation,
  inputs: KnownInputs,
): Observation | undefined {
  const parts = recognise(found.body, inputs);
  return parts && { ...found, address: { ...found.address, ...parts } };
}

/** The records of an object whose create had an unknown outcome, if it has exactly the values that the create wrote. */
export function recordsOfOwnCreate(
  context: ObjectContext,
  records: Records,
  found: Observation,
): Records | undefined {
  const { definition } = context;
  const attempted = pendingInputs(records) ?? NO_INPUTS;
  if (missingPaths(definition, attempted, found).length > 0) return undefined;
  // Someone may have created the object with more values, or added them since.
  if (extraValues(context, found, attempted).length > 0) return undefined;
  const { ours } = definition.life.creation;
  const made = ours?.recognise ? matchCreated(ours, found, attempted) : found;
  return made && recordsAsFound(context, made, attempted, attempted);
}

/**
 * True if an object that no longer exists had ended when it was last read (such as a batch job), and the program does not
 * want it again. Its service removes such an object some time after its end.
 */
export function isCollected({ definition }: ObjectContext, { ended, lastApplied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isMadeAgain(lastApplied) === false;
}
