import { idOfInputs, nameOf } from "../language/address";
import type { DefinitionBase } from "../language/specified";
import type { StepInput } from "../language/stepInput";
import { recordsIn } from "../state/records";
import type { Inputs } from "../value/unknown";

/** A delete for which the service has no request: it says what stays there, and sends nothing. */
export function deleteFromState(
  definition: DefinitionBase,
  input: StepInput,
  outputs: Inputs,
  staysAs: string,
): void {
  const { address, applied } = recordsIn(definition, outputs);
  const name = nameOf(definition, idOfInputs(definition, input.connection, address, applied));
  input.log("warning", `${name} leaves the state only: ${staysAs}`);
}
