import { catalog } from "../../provider/catalog";
import type { Provider } from "../../provider/core/bridge/provider";
import { type Definition, hasLifecycle } from "../../provider/core/language/resource";
import { type StackResource, tokenOf } from "../state/deployment";
import { type Finding, fail } from "./report";

/**
 * Reports objects that two resources of one stack manage: an update of one resource reverts the other's update, and a delete
 * of one removes the object of both. External resources, which the program only reads, are not counted.
 * @param resources the resources that share the settings of the host
 */
export function duplicatesIn(resources: readonly StackResource[], host: Provider): Finding[] {
  const managed = resources.flatMap((resource) => {
    const token = tokenOf(resource.type);
    const definition = token === undefined ? undefined : catalog[token]?.();
    if (definition === undefined || !hasLifecycle(definition, "object")) return [];
    return resource.isExternal || resource.id === ""
      ? []
      : [{ resource, at: placeOf(definition, resource, host) }];
  });
  return [...Map.groupBy(managed, ({ at }) => at).values()].flatMap((of) => {
    const [first, ...others] = of.map(({ resource }) => resource);
    const last = others.at(-1);
    if (first === undefined || last === undefined) return [];
    const message = `${[first, ...others].map(nameOf).join(" and ")} manage the same object, ${JSON.stringify(first.id)}`;
    const advice =
      "Keep one of these resources in the program. The command removes the other resource from the state and does not change the object.";
    const command = `pulumi state delete '${last.urn}'`;
    return [{ about: "state", what: "duplicates", ...fail(message, command, advice) }];
  });
}

const nameOf = ({ type, name }: StackResource) =>
  `${(tokenOf(type) ?? "").split(":")[1]} ${JSON.stringify(name)}`;

/**
 * The location of an object: two connections to one address reach the same objects. Resource types that create the same object
 * have the same request; a part of an object has a request of its own, and the ID of the object.
 */
function placeOf(
  { service, where, life }: Definition,
  { id, inputs }: StackResource,
  host: Provider,
): string {
  const parsed = where.id.parse(id);
  const written = typeof inputs.connection === "string" ? inputs.connection : undefined;
  const connection = parsed?.connection ?? written;
  const own = parsed === undefined ? id : where.id.format(parsed.address);
  return JSON.stringify([service.name, addressOf() ?? connection, life.writes.create.path, own]);

  function addressOf() {
    try {
      return host.connection(service, connection).settings.address;
    } catch {
      // A separate finding reports settings that cannot be used.
      return undefined;
    }
  }
}
