import type { Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { managedLinks, observe } from "../../requests/observe";
import type { Records } from "../../state/records";
import { plannedChanges } from "../planned";
import { ofObject, sending } from "./dropped";

/*
 * An object that ends by itself, such as a batch job, and that its service removes some time after its end. It is not
 * missing: there is nothing left to do for it.
 */

/** Whether an object that no longer exists had ended when it was last read, and the program does not want it again. */
export function isCollected({ definition }: ObjectContext, { ended, applied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isMadeAgain(applied) === false;
}

/** Whether an update must create such an object again, because what the program writes has changed. */
export async function isToMakeAgain(
  context: ObjectContext,
  records: Records,
  inputs: Values,
): Promise<boolean> {
  const changes = () => ofObject(sending(plannedChanges(context.definition, records, inputs)));
  if (!isCollected(context, records) || changes().length === 0) return false;
  const links = managedLinks(context.definition, inputs);
  return (await observe(context, records.address, links)) === undefined;
}
