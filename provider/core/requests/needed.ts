import type { Address } from "../language/object";
import { methodOf, type Needed, type Route, rightsIn } from "../language/route";
import type { Connection } from "../language/service";
import { filledPath } from "./send";

/** A request by what its rights are known by. */
export type AskedFor = Pick<Route, "method" | "path" | "query" | "rightsAt">;

/** What the token of a connection needs for a request, and the path by which that is known; nothing where no row says it. */
export function neededFor(
  connection: Connection,
  route: AskedFor,
  address: Address,
): { readonly path: string; readonly rights: readonly Needed[] } {
  const path = filledPath(route.rightsAt ?? route.path, address, connection);
  return { path, rights: rightsIn(connection.service.rights, methodOf(route), path, address) ?? [] };
}
