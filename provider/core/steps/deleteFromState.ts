import type { DefinitionBase } from "../language/fields";
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
  // A state that cannot be read is an error here, too.
  recordsIn(definition, outputs);
  input.log("warning", `it leaves the state only: ${staysAs}`);
}
