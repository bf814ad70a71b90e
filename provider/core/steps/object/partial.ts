import { idOfInputs } from "../../language/address";
import type { Observation, Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { PartialError } from "../../state/failures";
import { outputsOf } from "../../state/outputs";
import type { Records } from "../../state/records";

/** The error of a step that leaves something in the state: the id, what is live, and why it is not whole. */
export function partial(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  body: Observation["body"],
  reason: Error,
): PartialError {
  const { definition, connection } = context;
  const id = idOfInputs(definition, connection, records.address, inputs);
  return new PartialError(id, outputsOf(definition, { ...inputs }, records, body), inputs, reason);
}
