import { missingPaths } from "../../compare/missing";
import { modelOfBody } from "../../compare/model";
import type { Recognised } from "../../language/creation";
import { fieldsOf } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import type { Records } from "../../state/records";

/** The records of an object as it was found. */
export function recordsAsFound(
  { definition }: Pick<ObjectContext, "definition">,
  found: Observation,
  applied: Values,
  inputs: Values,
): Records {
  const seen = modelOfBody(definition, found.body, inputs);
  const { address, token } = found;
  return { address, applied, settled: seen, seen, ...(token !== undefined && { token }) };
}

/** What was found, where its definition recognises it as what these inputs made, with what its address carries then. */
export function recognised(
  { recognise }: Recognised,
  found: Observation,
  inputs: Values,
): Observation | undefined {
  const carried = recognise(found.body, inputs);
  return carried && { ...found, address: { ...found.address, ...carried } };
}

/** The records of an object whose create had an unknown outcome, if it has every value that the create wrote. */
export function recordsOfOwnCreate(
  context: ObjectContext,
  { attempted = {} }: Records,
  found: Observation,
): Records | undefined {
  const { definition } = context;
  if (missingPaths(definition, attempted, found).length > 0) return undefined;
  const { ours } = definition.life.creation;
  const made = ours?.recognise ? recognised(ours, found, attempted) : found;
  return made && recordsAsFound(context, made, attempted, attempted);
}

/** What of the program's values the service never shows, so that nobody can say whether it holds them. */
export function unseenIn(definition: Definition, inputs: Values): string[] {
  return fieldsOf(definition)
    .filter(
      ({ name, facts: { writeOnly } }) =>
        writeOnly && writeOnly !== "create-only" && inputs[name] !== undefined,
    )
    .map(({ name }) => name);
}
