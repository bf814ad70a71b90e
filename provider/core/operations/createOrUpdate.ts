import { ActionableError, rerunUp } from "../http/remedies";
import type { KnownInputs } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { managedLinks, observe } from "../requests/observe";
import { diffUpdate, type RecordedObject } from "../state/changes";
import { AlreadyExistsError } from "../state/errors";
import { outputsOf, type ResourceState } from "../state/outputs";
import { hasPendingCreate, recordsIn, writesIn } from "../state/records";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import { adoption } from "./adopt";
import { converge } from "./converge";
import { createIfAbsent } from "./create";
import { type ExistingObject, find, isCollected, recordsOfOwnCreate } from "./find";
import { changedParts } from "./placeKey";
import { isTextUnread, withEarlierReading, withTextRead } from "./readText";
import { unsentOutputs } from "./stateOnly";
import { waitForOthers } from "./write/loop";
import { type Finished, resourceState } from "./write/result";

/**
 * Creates an object if it is absent. Adopts an existing object only if `adopt` or the adoption setting allows it. After an
 * inconclusive response, Quarterdeck looks for the object: an identical one counts as its own.
 * @throws AlreadyExistsError, ConflictError, PartialError, ServiceError.
 */
export async function create(
  definition: Definition,
  input: StepInput,
  written: KnownInputs,
): Promise<ResourceState> {
  const context = objectContextOf(definition, "create", input, written);
  const inputs = await withTextRead(context, written);
  const { records, body } = await createOrAdopt(context, inputs);
  return resourceState(context, records, inputs, body);
}

/** Creates the object of these inputs, or adopts an existing one if the program or the settings allow it. */
async function createOrAdopt(context: ObjectContext, inputs: KnownInputs): Promise<Finished> {
  for (;;) {
    const result = await createIfAbsent(context, inputs);
    if (result.kind === "created") return result.finished;
    try {
      return await adopt(context, result, inputs);
    } catch (error) {
      // Another write of this command may rename or delete the existing object.
      if (!(error instanceof AlreadyExistsError) || error.facts.outcome === "unknown") throw error;
      await waitForOthers(context, error);
    }
  }
}

/** Adopts an existing object, and updates it to the program's inputs. */
async function adopt(
  context: ObjectContext,
  existing: ExistingObject,
  inputs: KnownInputs,
): Promise<Finished> {
  const finished = await converge(adoption(context, existing, inputs), existing.found);
  return { ...finished, records: { ...finished.records, lastApplied: inputs } };
}

/**
 * Updates a resource to the program's inputs.
 * @throws ConflictError if someone else changed a value that the program manages; PartialError if the update is incomplete.
 */
export async function update(
  definition: Definition,
  input: StepInput,
  oldOutputs: Inputs,
  written: KnownInputs,
): Promise<{ [property: string]: Json }> {
  const records = recordsIn(definition, oldOutputs);
  const context = objectContextOf(definition, "update", input, written, oldOutputs);
  const inputs =
    definition.serviceText === undefined
      ? written
      : await withParsedText({ context, records, inputs: written });
  const object = { context, records, inputs };
  if (records.ended && (await mustRecreate(object))) return (await create(definition, input, inputs)).outputs;
  const finished = await (hasPendingCreate(records) ? resumeCreate(object) : converge(object));
  return finished.body === undefined
    ? unsentOutputs(definition, finished.inputs, finished.records, oldOutputs)
    : outputsOf(definition, { ...finished.inputs }, finished.records, finished.body);
}

/**
 * Continues a pending create. If the object is absent, creates it. If it has every written value, accepts it and updates it to
 * the program's inputs.
 * @throws AlreadyExistsError if it is a different object
 */
async function resumeCreate({ context, records, inputs }: RecordedObject): Promise<Finished> {
  const found = await find(context, records.address, inputs);
  if (found === undefined) return createOrAdopt(context, inputs);
  const own = recordsOfOwnCreate(context, records, found);
  if (own === undefined) return adopt(context, { kind: "exists", found }, inputs);
  const pending = { kind: "incomplete", reason: records.pending?.reason ?? "" } as const;
  return converge({ context, records: { ...own, pending }, inputs }, { ...found, address: own.address });
}

/** The inputs with the service's parsed form of their text, from an earlier step if the text is unchanged. */
async function withParsedText({ context, records, inputs }: RecordedObject): Promise<KnownInputs> {
  const { definition } = context;
  const remembered = withEarlierReading(definition, context, inputs, writesIn(records));
  const read = await withTextRead(context, remembered);
  if (isTextUnread(definition, remembered)) assertSameObject({ context, records, inputs: read });
  return read;
}

/**
 * Rejects an update whose text addresses a different object than the recorded one. The preview could not detect this, because
 * the server could not parse the text at that time.
 */
function assertSameObject({ context, records, inputs }: RecordedObject): void {
  const { definition, connection } = context;
  const moved = changedParts({ definition, connection, records, inputs });
  if (moved.length === 0) return;
  throw new ActionableError(
    `${context.name(records.address)}: ${definition.serviceText?.property} now has a different ` +
      `${moved.join(" and ")}. The preview did not show this change, because the server could not parse the text at that time; ` +
      "nothing was written.",
    [rerunUp(" to replace the resource")],
    { outcome: "notApplied" },
  );
}

/** True if the server removed an object that had ended, and the program's values have changed since. */
async function mustRecreate({ context, records, inputs }: RecordedObject): Promise<boolean> {
  if (!isCollected(context, records)) return false;
  if (diffUpdate(context, records, inputs).main.length === 0) return false;
  const links = managedLinks(context.definition, inputs);
  return (await observe(context, records.address, links)) === undefined;
}
