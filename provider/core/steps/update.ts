import type { Definition, Described } from "../define";
import { fieldsOf } from "../fields";
import { formsIn, recordedAs } from "../forms";
import type { Json } from "../json";
import { formatRecord, RECORD, type Record3, recordIn } from "../record";
import type { Inputs } from "../unknown";
import { contextOf, type StepContext, type StepInput } from "./context";
import { movedParts } from "./diff";
import type { Finished } from "./finish";
import { outputsOf } from "./outputs";
import { isTextUnread, withEarlierReading, withTextRead } from "./readText";
import { nameOf } from "./resource";
import { settle } from "./settle";

/**
 * Brings a resource to what the program writes now.
 * @throws ConflictError where others moved what the program manages; PartialError where it happened in part.
 */
export async function update(
  definition: Definition,
  input: StepInput,
  oldOutputs: Inputs,
  written: Readonly<Record<string, Json>>,
): Promise<{ [property: string]: Json }> {
  const record = recordIn(definition, oldOutputs);
  const context = contextOf(definition, "update", input, written, oldOutputs);
  const inputs = await withTextRead(context, written, [record.applied]);
  refuseAnother(context, record, written, inputs);
  const finished = await settle(context, record, inputs);
  const { unfinished: _, ...whole } = finished.record;
  return outputsAfter(definition, { ...finished, record: whole }, oldOutputs);
}

/** Text that could be read only now, after the preview, may name another object than the one that is updated. */
function refuseAnother(context: StepContext, record: Record3, written: Inputs, inputs: Inputs): void {
  const { definition } = context;
  if (!isTextUnread(definition, withEarlierReading(definition, written, [record.applied]))) return;
  const moved = movedParts(definition, context, record, inputs);
  if (moved.length === 0) return;
  throw new Error(
    `${nameOf(definition, record.address, context.connection)}: ${definition.serviceText?.property} now gives another ` +
      `${moved.join(" and ")}, which the preview could not know, because the service could not read the text then; ` +
      "nothing was written. Run pulumi up again: it replaces the resource",
  );
}

/** The outputs of an update; where nothing was sent, what the program does not write stays as it was. */
export function outputsAfter(
  definition: Described,
  finished: Finished,
  old: Inputs,
): { [property: string]: Json } {
  const { inputs, record, body } = finished;
  if (body) return outputsOf(definition, { ...inputs }, record, body);
  const outputs: { [property: string]: Json } = {};
  const forms = formsIn(definition, inputs);
  for (const field of fieldsOf(definition)) {
    const { name } = field;
    if (name === definition.serviceText?.keptIn) continue;
    const form = forms.get(recordedAs(definition, field).name);
    if (form !== undefined && form.name !== name) continue;
    // The outputs of an update hold no unknown values.
    const value = inputs[name] ?? (old[name] as Json | undefined);
    const isDropped =
      inputs[name] === undefined && record.applied[name] === undefined && isLocal(definition, name);
    if (value !== undefined && value !== null && !isDropped) outputs[name] = value;
  }
  outputs[RECORD] = formatRecord(record);
  return outputs;
}

function isLocal(definition: Described, name: string): boolean {
  return fieldsOf(definition).some((field) => field.name === name && (field.facts.local ?? false));
}
