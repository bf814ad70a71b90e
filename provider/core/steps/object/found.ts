import type { Change } from "../../compare/changes";
import { missingPaths } from "../../compare/missing";
import { modelOfBody } from "../../compare/model";
import type { HttpAnswer } from "../../http/request";
import { idOfInputs } from "../../language/address";
import type { Recognised, Search } from "../../language/creation";
import { fieldsOf } from "../../language/fields";
import type { Address, Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { type LinksToRead, managedLinks, observe } from "../../requests/observe";
import type { Write } from "../../requests/write";
import { PartialError } from "../../state/failures";
import { outputsOf } from "../../state/outputs";
import type { Records } from "../../state/records";

/** The result of a write: the records, and the object as last read; no object if nothing was sent. */
export interface Finished {
  readonly records: Records;
  readonly inputs: Values;
  readonly body?: Observation["body"];
}

/** The object that a probe found after a write with an unknown outcome. */
export interface ProbedObject extends Observation {
  /** True if it holds all written values, and others whose author is unknown because the service could not be asked. */
  readonly isUnproven?: true;
}

/** True for the response to a write, and false for an object that a probe found. */
export function isAnswer(answer: HttpAnswer | ProbedObject): answer is HttpAnswer {
  return "status" in answer;
}

/** The work after the main write. */
export interface PostWrite {
  /** The records that the write was based on. */
  readonly records: Records;
  readonly inputs: Values;
  readonly links: LinksToRead;
  /** The changes of which the service is informed. */
  readonly changes: readonly Change[];
  /** The response to the write, or the object that a probe found. */
  readonly answer?: HttpAnswer | ProbedObject;
  /** The write, if its response is known. */
  readonly write?: Write;
}

/** The object of this program's inputs, if it exists. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: Values,
): Promise<Observation | undefined> {
  const { definition } = context;
  const search = searchOf(definition);
  return search
    ? search.find(context, address, inputs)
    : observe(context, address, managedLinks(definition, {}, inputs));
}

/** True if the object of these inputs can be found. Otherwise a create whose request was lost is never sent again. */
export function canFind(definition: Definition, inputs: Values): boolean {
  return searchOf(definition)?.canFind(inputs) ?? true;
}

function searchOf({ life }: Definition): Search | undefined {
  const { existing } = life.creation;
  return existing?.by === "a look" ? existing.search : undefined;
}

/** The records of an object as it was found. */
export function recordsAsFound(
  { definition }: Pick<ObjectContext, "definition">,
  found: Observation,
  applied: Values,
  inputs: Values,
): Records {
  const seen = modelOfBody(definition, found.body, inputs);
  const { address, token } = found;
  return { address, applied, settled: seen, seen, ...(token !== undefined && { token }) };
}

/** An object that its definition recognises as the one that these inputs created, with the complete address. */
export function matchCreated(
  { recognise }: Recognised,
  found: Observation,
  inputs: Values,
): Observation | undefined {
  const parts = recognise(found.body, inputs);
  return parts && { ...found, address: { ...found.address, ...parts } };
}

/** The records of an object whose create had an unknown outcome, if it has every value that the create wrote. */
export function recordsOfOwnCreate(
  context: ObjectContext,
  { attempted = {} }: Records,
  found: Observation,
): Records | undefined {
  const { definition } = context;
  if (missingPaths(definition, attempted, found).length > 0) return undefined;
  const { ours } = definition.life.creation;
  const made = ours?.recognise ? matchCreated(ours, found, attempted) : found;
  return made && recordsAsFound(context, made, attempted, attempted);
}

/** The program's values that the service never shows, so that it is unknown whether an object holds them. */
export function neverShown(definition: Definition, inputs: Values): string[] {
  return fieldsOf(definition)
    .filter(
      ({ name, facts: { writeOnly } }) =>
        writeOnly && writeOnly !== "create-only" && inputs[name] !== undefined,
    )
    .map(({ name }) => name);
}

/** The error of a step that leaves a resource in the state: its id, its live values, and why it is incomplete. */
export function partial(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  body: Observation["body"],
  reason: Error,
): PartialError {
  const { definition, connection } = context;
  const id = idOfInputs(definition, connection, records.address, inputs);
  return new PartialError(id, outputsOf(definition, { ...inputs }, records, body), inputs, reason);
}

/**
 * True if an object that no longer exists had ended when it was last read (such as a batch job), and the program does not
 * want it again. Its service removes such an object some time after its end.
 */
export function isCollected({ definition }: ObjectContext, { ended, applied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isMadeAgain(applied) === false;
}
