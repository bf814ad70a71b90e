import { fromEngine } from "../provider/core/bridge/engineValues";
import type { Provider } from "../provider/core/bridge/provider";
import { addressOf, idOf } from "../provider/core/language/address";
import type { AnyDefinition } from "../provider/core/language/resource";
import type { StackResource } from "../stacks/deployment";

/** Those by whose settings a resource was made, and its service is asked now. */
interface Hosts {
  readonly own: Provider;
  readonly here: Provider;
}

/**
 * The id under which a list shows a resource of a state. The state's own says no realm where that was its connection's, or
 * where an earlier version made it, and so may be what another object is called here.
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
  // What nobody said the service answered; it counts where somebody says another one now.
  const isOpen = said === undefined && where.defaults?.[realm]?.of(connection) !== undefined;
  const answered = outputs[realm];
  const asked = isOpen && typeof answered === "string" ? answered : said;
  return idOf(definition, connection, parsed.address, { [realm]: asked });
}
