import type { Change } from "../compare/changes";
import { modelOfInputs } from "../compare/model";
import type { AnyDefinition } from "../language/resource";
import { isPerhapsMade, type Records } from "../state/records";
import { isEmpty } from "../value/empty";
import type { Inputs } from "../value/unknown";
import { plannedChanges } from "./planned";

/**
 * Which changes of fields ask for another object: those of what is fixed once an object exists. One that is perhaps made has
 * what its create asked for, or is not there at all, and is made as the program writes it now.
 */
export function isFixedOtherwise(
  definition: AnyDefinition,
  records: Records,
  inputs: Inputs,
): (change: FieldChange) => boolean {
  const { attempted } = records;
  if (attempted === undefined || !isPerhapsMade(records)) return isFixed;
  const asked: Records = { ...records, applied: attempted, seen: modelOfInputs(definition, attempted) };
  const moved = new Set(plannedChanges(definition, asked, inputs).map(({ field }) => field.name));
  return (change) => isFixed(change) && moved.has(change.field.name);
}

type FieldChange = Pick<Change, "field" | "to">;

function isFixed({ field: { facts }, to }: FieldChange): boolean {
  return facts.immutable === "unless emptied" ? !isEmpty(to) : (facts.immutable ?? false);
}
