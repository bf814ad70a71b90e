import { fromEngine } from "../../provider/core/bridge/engineValues";
import type { Provider } from "../../provider/core/bridge/provider";
import { addressOf, idOf } from "../../provider/core/language/address";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { StackResource } from "../state/deployment";

/** The provider with the settings of the resource, and the provider that lists its service now. */
interface Hosts {
  readonly own: Provider;
  readonly here: Provider;
}

/**
 * The ID that a list shows for a resource of a state. An ID in the state contains no realm if the connection's realm applied
 * or an earlier version wrote it. With this connection it may be the ID of a different object.
 */
export default function idHere(
  definition: AnyDefinition,
  { id, inputs, outputs }: StackResource,
  { own, here }: Hosts,
): string {
  const { service, where } = definition;
  const { realm } = where.id;
  const parsed = realm === undefined ? undefined : where.id.parse(id);
  if (realm === undefined || parsed === undefined || parsed.connection !== undefined) return id;
  const connection = here.connection(service, undefined);
  const said =
    parsed.address[realm] ??
    addressOf(definition, own.connection(service, undefined), fromEngine(inputs))[realm];
  // The server chose the realm that neither the ID nor the settings gave. Its value applies if a setting gives a different
  // one now.
  const isOpen = said === undefined && where.defaults?.[realm]?.valueFor(connection) !== undefined;
  const answered = outputs[realm];
  const asked = isOpen && typeof answered === "string" ? answered : said;
  return idOf(definition, connection, parsed.address, { [realm]: asked });
}
