import type { Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import type { Records } from "../../state/records";
import { converge } from "./converge";
import { createOrAdopt } from "./create";
import { adoptExisting, find } from "./existing";
import { type Finished, recordsOfOwnCreate } from "./found";

/**
 * Goes on with a resource that is perhaps made: creates it if it is absent, takes it if it is just what was written then,
 * and brings it to what the program writes now.
 * @throws AlreadyExistsError where another object is there.
 */
export async function resumeCreate(
  context: ObjectContext,
  records: Records,
  inputs: Values,
): Promise<Finished> {
  const found = await find(context, records.address, inputs);
  if (found === undefined) return createOrAdopt(context, inputs);
  const ours = recordsOfOwnCreate(context, records, found);
  if (ours === undefined) return adoptExisting(context, found, inputs);
  const made = { ...found, address: ours.address };
  return converge(context, { ...ours, unfinished: records.unfinished ?? "perhaps made" }, inputs, made);
}
