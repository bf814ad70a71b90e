import type { Due } from "../language/lives";
import { type AnyDefinition, livesAs } from "../language/resource";
import type { PreviewInput } from "../language/stepInput";
import type { Records } from "../state/records";
import type { Inputs } from "../value/unknown";

/** What is due of a resource by the clock, though its program writes nothing new. */
export function dueNow(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { learnt }: Pick<Records, "learnt">,
  inputs: Inputs,
): Due | undefined {
  if (!livesAs(definition, "procedure") || learnt === undefined) return undefined;
  return definition.life.due?.({ connection, inputs, learnt });
}
