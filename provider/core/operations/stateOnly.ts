import { formsIn, recordedField } from "../diff/forms";
import { ActionableError, editProgram } from "../http/remedies";
import { type DefinitionBase, fieldsOf, nounOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import type { Definition, Lifecycle, ObjectLifecycle } from "../language/resource";
import { isAddress, isSteering } from "../language/role";
import type { StepInput } from "../language/stepInput";
import {
  formatRecords,
  outputsInState,
  parseRecords,
  RECORDS,
  type Records,
  recordsIn,
} from "../state/records";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import type { ReadResult } from "./steps";

/** Why a resource cannot be read by its ID, by the kind of its life, and the remedy. */
const NOT_READABLE = {
  action: {
    why: "the resource is a one-time action, and the server has no record of the action",
    next: "add the resource to the program, then run pulumi up to run the action again",
  },
  writeOnly: {
    why: "the server accepts the object and never returns it",
    next: "add the resource to the program, then run pulumi up to write the object again",
  },
  procedure: {
    why: "the procedure belongs to the program that started it, and the server does not return the procedure",
    next: "add the resource to the program, then run pulumi up to start a new procedure",
  },
} as const;

/**
 * The refresh of a resource that the server does not show. The state is the only source, so it is unchanged. Nothing is
 * sent.
 * @throws ActionableError for an ID without a state, because there is nothing to read.
 */
export function refreshFromState(
  definition: Definition<Exclude<Lifecycle, ObjectLifecycle>>,
  id: string,
  outputs?: Inputs,
): ReadResult {
  if (outputs && parseRecords(outputs)) return { id, outputs: { ...outputsInState(outputs) } };
  const { why, next } = NOT_READABLE[definition.life.kind];
  throw new ActionableError(
    `${nounOf(definition)}: the resource cannot be read by its ID or imported: ${why}.`,
    [editProgram(next)],
  );
}

/** An update that changes nothing on the server. Only the records store the new inputs. */
export function updateStateOnly(definition: DefinitionBase, outputs: Inputs, inputs: KnownInputs) {
  const records = { ...recordsIn(definition, outputs), lastApplied: inputs };
  return unsentOutputs(definition, inputs, records, outputs);
}

/** A delete without a request. It warns about the object that remains on the server, and sends nothing. */
export function deleteFromState(
  definition: DefinitionBase,
  input: StepInput,
  outputs: Inputs,
  staysAs: string,
): void {
  // An unreadable state is an error here, too.
  recordsIn(definition, outputs);
  input.log("warning", `the resource is removed only from the state: ${staysAs}`);
}

/** The outputs after an update that sent nothing: properties that the program does not write are unchanged. */
export function unsentOutputs(
  definition: DefinitionBase,
  inputs: KnownInputs,
  records: Records,
  old: Inputs,
): { [property: string]: Json } {
  const outputs: { [property: string]: Json } = {};
  const before = outputsInState(old);
  const forms = formsIn(definition, inputs);
  for (const field of fieldsOf(definition)) {
    const { name, facts } = field;
    const form = forms.get(recordedField(definition, field).name);
    if (form !== undefined && form.name !== name) continue;
    const own = isAddress(facts) ? (records.address[name] ?? inputs[name]) : inputs[name];
    const value = own ?? before[name];
    const isWritten = inputs[name] !== undefined || records.lastApplied[name] !== undefined;
    if (value !== undefined && value !== null && (isWritten || !isSteering(facts))) outputs[name] = value;
  }
  outputs[RECORDS] = formatRecords(records);
  return outputs;
}
