import type { ObjectContext } from "../../language/contexts";
import type { Address } from "../../language/object";
import { filledPath, filledQuery, realmHeaders } from "../../requests/send";

/**
 * A command that creates first may take over what an older record of it is to delete afterwards: a resource that was renamed,
 * or a replacement that the engine decided on by itself. What would delete the object tells that both are the same one.
 */

/** Remembers, for the rest of the command, that a create has taken this object over. */
export function rememberTakenOver(context: ObjectContext, address: Address): void {
  const key = keyOf(context, address);
  if (key !== undefined) context.takenOver?.add(key);
}

/** Whether a create of this command has taken this object over. */
export function isTakenOver(context: ObjectContext, address: Address): boolean {
  const key = keyOf(context, address);
  return key !== undefined && context.takenOver?.has(key) === true;
}

function keyOf({ definition, connection }: ObjectContext, address: Address): string | undefined {
  const { deletion } = definition.life;
  if (deletion.kind === "stays") return undefined;
  const { method, path, query = {} } = deletion.route;
  return JSON.stringify([
    definition.service.name,
    connection.settings.address,
    method,
    filledPath(path, address, connection),
    filledQuery(query, address),
    realmHeaders(connection, address),
  ]);
}
