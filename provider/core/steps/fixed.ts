import { modelOfInputs } from "../compare/model";
import type { Field } from "../language/fields";
import type { DefinitionBase } from "../language/specified";
import { isPerhapsMade, type Records } from "../state/records";
import type { Inputs } from "../value/unknown";
import { plannedChanges } from "./planned";

/**
 * Which changes of fields ask for another object: those of what is fixed once an object exists. One that is perhaps made has
 * what its create asked for, or is not there at all, and is made as the program writes it now.
 */
export function isFixedOtherwise(
  definition: DefinitionBase,
  records: Records,
  inputs: Inputs,
): (field: Field) => boolean {
  const { attempted } = records;
  if (attempted === undefined || !isPerhapsMade(records)) return isFixed;
  const asked: Records = { ...records, applied: attempted, seen: modelOfInputs(definition, attempted) };
  const moved = new Set(plannedChanges(definition, asked, inputs).map(({ field }) => field.name));
  return (field) => isFixed(field) && moved.has(field.name);
}

function isFixed({ facts }: Field): boolean {
  return facts.immutable ?? false;
}
