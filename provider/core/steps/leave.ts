import type { Described } from "../define";
import { recordIn } from "../record";
import type { Inputs } from "../unknown";
import type { StepInput } from "./context";
import { nameOf } from "./resource";

/** A delete for which the service has no request: it says what stays there, and sends nothing. */
export function leaveInPlace(
  definition: Described,
  input: StepInput,
  outputs: Inputs,
  staysAs: string | undefined,
): void {
  const name = nameOf(definition, recordIn(definition, outputs).address, input.connection);
  input.log("warning", `${name} leaves the state only: ${staysAs}`);
}
