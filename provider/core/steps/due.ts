import { wireName } from "../language/fields";
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

/** When what a procedure made has ended, where that is past. A procedure that is to go on checks that itself. */
export function endedIn(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { learnt, unfinished }: Pick<Records, "learnt" | "unfinished">,
): { output: string; end: string } | undefined {
  if (!livesAs(definition, "procedure") || learnt === undefined || unfinished !== undefined) return undefined;
  const { lastsUntil: output } = definition.life;
  const end = output && learnt[wireName(output, definition.service.naming)];
  if (output === undefined || typeof end !== "string") return undefined;
  return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;
}
