import { type Definition, type Described, fieldsOf } from "../define";
import type { Json } from "../json";
import { formatRecord, RECORD, recordIn } from "../record";
import type { Inputs } from "../unknown";
import { contextOf, type StepInput } from "./context";
import type { Finished } from "./finish";
import { outputsOf } from "./outputs";
import { settle } from "./settle";

/**
 * Brings a resource to what the program writes now.
 * @throws ConflictError where others moved what the program manages; PartialError where it happened in part.
 */
export async function update(
  definition: Definition,
  input: StepInput,
  oldOutputs: Inputs,
  inputs: Readonly<Record<string, Json>>,
): Promise<{ [property: string]: Json }> {
  const record = recordIn(definition, oldOutputs);
  const context = contextOf(definition, "update", input, inputs);
  const finished = await settle(context, record, inputs);
  const { unfinished: _, ...whole } = finished.record;
  return outputsAfter(definition, { ...finished, record: whole }, oldOutputs);
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
  for (const { name } of fieldsOf(definition)) {
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
