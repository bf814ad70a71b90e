import { recordedField, writtenForm } from "../diff/forms";
import { addressOf } from "../language/address";
import { type Field, fieldsOf } from "../language/fields";
import { type AnyDefinition, hasLifecycle } from "../language/resource";
import { isAddress, isShown, isSteering } from "../language/role";
import type { PreviewInput } from "../language/stepInput";
import { plannedChanges, remoteChanges } from "../state/changes";
import { type Records, recordsIn } from "../state/records";
import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { effectiveInputs } from "./ignoredPaths";
import { dueNow } from "./procedure";

/**
 * The expected outputs of a create with these inputs, or of an update to them. It sends nothing. Values that only the server
 * chooses are unknown; every known value is correct once the step has succeeded. The records are not included.
 * @param outputs the outputs in the state, for an update
 */
export function previewOutputs(
  definition: AnyDefinition,
  input: PreviewInput,
  written: Inputs,
  outputs?: Inputs,
): Inputs {
  const { connection } = input;
  const records = outputs && recordsIn(definition, outputs);
  const inputs = effectiveInputs(definition, input, records, written);
  const isSent =
    records === undefined ||
    records.pending !== undefined ||
    remoteChanges(plannedChanges(definition, records, inputs)).length > 0;
  const address = records?.address ?? addressOf(definition, connection, inputs);
  const basis: Basis = { inputs, address, outputs: outputs ?? {}, isSent, records };
  const planned = fieldsOf(definition).flatMap((field) => {
    const value = outputOf(definition, field, basis);
    return value === undefined || value === null ? [] : [[field.name, value] as const];
  });
  const due = records && dueNow({ definition, connection, records, inputs });
  return { ...Object.fromEntries(planned), ...(due && { [due.output]: UNKNOWN }) };
}

/** What the expected outputs are computed from. */
interface Basis {
  readonly inputs: Inputs;
  readonly address: Readonly<Record<string, Value | undefined>>;
  /** The outputs in the state. */
  readonly outputs: Inputs;
  /** True if a request is sent, so that values which the program does not write may change. */
  readonly isSent: boolean;
  readonly records: Records | undefined;
}

function outputOf(definition: AnyDefinition, field: Field, basis: Basis): Value | undefined {
  const { name, facts } = field;
  const { inputs, address, outputs, isSent, records } = basis;
  if (!isShown(facts)) {
    const isKept = !isSent && !isSteering(facts);
    return inputs[name] ?? (isKept ? outputs[name] : undefined);
  }
  if (isAddress(facts)) return address[name] ?? inputs[name] ?? (isSent ? UNKNOWN : undefined);
  const property = recordedField(definition, field);
  const form = writtenForm(definition, property, inputs);
  if (form !== undefined) return form.field.name === name ? inputs[name] : undefined;
  if (property !== field) return undefined;
  if (!isSent) return outputs[name];
  // An update changes neither the address of an object nor the ID that the server gave it.
  if (records !== undefined && records.address[name] !== undefined) return records.address[name];
  // A value that the server never shows has no output except the written value.
  return hasLifecycle(definition, "writeOnly") && records === undefined ? undefined : UNKNOWN;
}
