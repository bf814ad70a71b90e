import { AdvisedError, edited } from "../http/waysOn";
import type { Values } from "../language/object";
import type { DefinitionBase } from "../language/specified";
import type { StepInput } from "../language/stepInput";
import { parseRecords, recordsIn } from "../state/records";
import type { Json } from "../value/json";
import { type Inputs, known } from "../value/unknown";
import type { ReadBack } from "./object/refresh";
import { outputsAfter } from "./object/update";

/**
 * A refresh of what the service does not show: the state is all that is known, so it stays. Nothing is sent.
 * @throws AdvisedError for an id alone, because there is nothing to read.
 */
export async function refreshFromState(
  definition: DefinitionBase,
  _input: StepInput,
  id: string,
  outputs?: Inputs,
): Promise<ReadBack> {
  if (outputs && parseRecords(outputs)) return { id, outputs: { ...known(outputs) } };
  throw new AdvisedError(`a ${definition.token} cannot be read by its id: the service does not show it.`, [
    edited("write it into the program, which makes it anew"),
  ]);
}

/** An update that changes nothing on the service: only the records take the new inputs. */
export async function updateStateOnly(
  definition: DefinitionBase,
  outputs: Inputs,
  inputs: Values,
): Promise<{ [property: string]: Json }> {
  const records = { ...recordsIn(definition, outputs), applied: inputs };
  return outputsAfter(definition, { records, inputs }, outputs);
}
