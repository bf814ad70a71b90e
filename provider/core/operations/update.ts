import { formsIn, recordedField } from "../diff/forms";
import { ActionableError, rerunUp } from "../http/remedies";
import { type DefinitionBase, fieldsOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { isAddress, isSteering } from "../language/role";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { managedLinks, observe } from "../requests/observe";
import { outputsOf } from "../state/outputs";
import {
  formatRecords,
  hasPendingCreate,
  outputsInState,
  RECORDS,
  type Records,
  recordsIn,
  writesIn,
} from "../state/records";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import { adoptExisting } from "./adopt";
import { converge } from "./converge";
import { create, createOrAdopt } from "./create";
import { find, isCollected, recordsOfOwnCreate } from "./find";
import { changedParts } from "./placeKey";
import { diffUpdate } from "./planned";
import { isTextUnread, withEarlierReading, withTextRead } from "./readText";
import type { Finished } from "./write/result";

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
  const remembered = withEarlierReading(definition, input, written, writesIn(records));
  const inputs = await withTextRead(context, remembered, []);
  if (isTextUnread(definition, remembered)) refuseAnother(context, records, inputs);
  if (await isToMakeAgain(context, records, inputs)) return (await create(definition, input, inputs)).outputs;
  const finished = await (hasPendingCreate(records) ? resumeCreate : converge)(context, records, inputs);
  return outputsAfter(definition, finished, oldOutputs);
}

/**
 * Continues a pending create. If the object is absent, creates it. If it has every written value, accepts it and updates it to
 * the program's inputs.
 * @throws AlreadyExistsError if it is a different object
 */
async function resumeCreate(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
): Promise<Finished> {
  const found = await find(context, records.address, inputs);
  if (found === undefined) return createOrAdopt(context, inputs);
  const own = recordsOfOwnCreate(context, records, found);
  if (own === undefined) return adoptExisting(context, found, inputs);
  const made = { ...found, address: own.address };
  return converge(
    context,
    { ...own, pending: { kind: "incomplete", reason: records.pending?.reason ?? "" } },
    inputs,
    made,
  );
}

/**
 * Rejects an update whose text addresses a different object than the recorded one. The preview could not detect this, because
 * the server could not parse the text at that time.
 */
function refuseAnother(context: ObjectContext, records: Records, inputs: Inputs): void {
  const { definition } = context;
  const moved = changedParts(definition, context, records, inputs);
  if (moved.length === 0) return;
  throw new ActionableError(
    `${context.name(records.address)}: ${definition.serviceText?.property} now has a different ` +
      `${moved.join(" and ")}. The preview did not show this change, because the server could not parse the text at that time; ` +
      "nothing was written.",
    [rerunUp(" to replace the resource")],
    { outcome: "notApplied" },
  );
}

/** The outputs after an update. If nothing was sent, properties that the program does not write are unchanged. */
export function outputsAfter(
  definition: DefinitionBase,
  finished: Finished,
  old: Inputs,
): { [property: string]: Json } {
  const { inputs, records, body } = finished;
  if (body) return outputsOf(definition, { ...inputs }, records, body);
  const outputs: { [property: string]: Json } = {};
  const before = outputsInState(old);
  const forms = formsIn(definition, inputs);
  for (const field of fieldsOf(definition)) {
    const { name } = field;
    const form = forms.get(recordedField(definition, field).name);
    if (form !== undefined && form.name !== name) continue;
    const own = isAddress(field.facts) ? (records.address[name] ?? inputs[name]) : inputs[name];
    const value = own ?? before[name];
    const isDropped =
      inputs[name] === undefined && records.lastApplied[name] === undefined && isLocal(definition, name);
    if (value !== undefined && value !== null && !isDropped) outputs[name] = value;
  }
  outputs[RECORDS] = formatRecords(records);
  return outputs;
}

function isLocal(definition: DefinitionBase, name: string): boolean {
  return fieldsOf(definition).some((field) => field.name === name && isSteering(field.facts));
}

/** True if the server removed an object that had ended, and the program's values have changed since. */
async function isToMakeAgain(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
): Promise<boolean> {
  if (!isCollected(context, records)) return false;
  if (diffUpdate(context.definition, records, inputs).main.length === 0) return false;
  const links = managedLinks(context.definition, inputs);
  return (await observe(context, records.address, links)) === undefined;
}
