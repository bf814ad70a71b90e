import type { Observation, Values } from "../define";
import { PartialError } from "../failures";
import type { Record3 } from "../record";
import type { StepContext } from "./context";
import { outputsOf } from "./outputs";

/** The error of a step that leaves something in the state: the id, what is live, and why it is not whole. */
export function partial(
  context: StepContext,
  record: Record3,
  inputs: Values,
  body: Observation["body"],
  reason: Error,
): PartialError {
  const { definition, connection } = context;
  const id = definition.id.format(record.address, connection.name);
  return new PartialError(id, outputsOf(definition, { ...inputs }, record, body), reason);
}
