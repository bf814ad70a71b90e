import { ActionableError, editProgram } from "../http/remedies";
import { type DefinitionBase, nounOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import type { Definition, Life, ObjectLife } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { outputsInState, parseRecords, recordsIn } from "../state/records";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import type { ReadBack } from "./refresh";
import { outputsAfter } from "./update";

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
export async function refreshFromState(
  definition: Definition<Exclude<Life, ObjectLife>>,
  _input: StepInput,
  id: string,
  outputs?: Inputs,
): Promise<ReadBack> {
  if (outputs && parseRecords(outputs)) return { id, outputs: { ...outputsInState(outputs) } };
  const { why, next } = NOT_READABLE[definition.life.kind];
  throw new ActionableError(
    `${nounOf(definition)}: the resource cannot be read by its ID or imported: ${why}.`,
    [editProgram(next)],
  );
}

/** An update that changes nothing on the server. Only the records store the new inputs. */
export async function updateStateOnly(
  definition: DefinitionBase,
  outputs: Inputs,
  inputs: KnownInputs,
): Promise<{ [property: string]: Json }> {
  const records = { ...recordsIn(definition, outputs), lastApplied: inputs };
  return outputsAfter(definition, { records, inputs }, outputs);
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
