import type { Change } from "../../compare/changes";
import { missingPaths } from "../../compare/missing";
import { modelOfBody, plainModel } from "../../compare/model";
import type { HttpAnswer } from "../../http/request";
import type { Recognised } from "../../language/creation";
import { fieldsOf } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import type { Receipt } from "../../language/writes";
import type { LinksToRead } from "../../requests/observe";
import type { Write } from "../../requests/write";
import type { Records } from "../../state/records";
import { ofObject } from "./dropped";

/** What a step leaves behind: the records, and the object as it was last read (none where nothing was sent). */
export interface Finished {
  readonly records: Records;
  readonly inputs: Values;
  readonly body?: Observation["body"];
}

/** The object as it was found in place of a write's answer. */
export interface FoundInstead extends Observation {
  /** Whether it holds what was written, and what it holds beside that may be somebody's, of which nobody could be asked. */
  readonly isUnproven?: true;
}

/** Whether it is the write's own answer, and not the object as it was found. */
export function isAnswer(answer: HttpAnswer | FoundInstead): answer is HttpAnswer {
  return "status" in answer;
}

/** What is left to do after the main write. */
export interface Unfinished {
  /** The records that the write was made from. */
  readonly records: Records;
  readonly inputs: Values;
  readonly links: LinksToRead;
  readonly changes: readonly Change[];
  /** The write's own answer, or the object as it was found to be after it. */
  readonly answer?: HttpAnswer | FoundInstead;
  /** The write, where its answer is known. */
  readonly write?: Write;
}

/**
 * What is known of our last write: what its answer says; of one that is gone on with, what is on record; nothing of one
 * whose answer was lost, and nothing of an object that was taken over, which nobody here has written.
 */
export function receiptOf(
  { definition }: ObjectContext,
  { answer, records, changes }: Unfinished,
  observation: Observation,
): Receipt | undefined {
  if (answer !== undefined && isAnswer(answer))
    return definition.life.writes.receipt?.(answer.json ?? null, observation) ?? {};
  return ofObject(changes).length > 0 ? undefined : records.receipt;
}

/** Records with what is known of the write that they are of. */
export function withReceipt(records: Records, receipt: Receipt = {}): Records {
  const known = plainModel(receipt);
  return Object.keys(known).length === 0 ? records : { ...records, receipt: known };
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

/** What was found, where its definition recognises it as what these inputs made, with what its address carries then. */
export function recognised(
  { recognise }: Recognised,
  found: Observation,
  inputs: Values,
): Observation | undefined {
  const carried = recognise(found.body, inputs);
  return carried && { ...found, address: { ...found.address, ...carried } };
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
  const made = ours?.recognise ? recognised(ours, found, attempted) : found;
  return made && recordsAsFound(context, made, attempted, attempted);
}

/** What of the program's values the service never shows, so that nobody can say whether it holds them. */
export function unseenIn(definition: Definition, inputs: Values): string[] {
  return fieldsOf(definition)
    .filter(
      ({ name, facts: { writeOnly } }) =>
        writeOnly && writeOnly !== "create-only" && inputs[name] !== undefined,
    )
    .map(({ name }) => name);
}

/**
 * True if an object that no longer exists had ended when it was last read (such as a batch job), and the program does not
 * want it again. Its service removes such an object some time after its end.
 */
export function isCollected({ definition }: ObjectContext, { ended, applied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isMadeAgain(applied) === false;
}
