import { type AnyDefinition, inDialect } from "../language/resource";
import type { Connection } from "../language/service";
import { ConfigurationError } from "../requests/given";
import type { Inputs } from "../value/unknown";
import type { CallValues, Host } from "./callValues";

/** The connection that a resource's inputs name. */
export function connectionOf(
  { service }: AnyDefinition,
  { connection: name }: Inputs,
  host: Host,
): Connection {
  return host.connection(service, typeof name === "string" ? name : undefined);
}

/** The definition in the dialect of the servers that are asked; as it is while the configuration cannot be used. */
export function definitionFor(definition: AnyDefinition, { inputs }: CallValues, host: Host): AnyDefinition {
  if (definition.inDialect === undefined) return definition;
  try {
    return inDialect(definition, connectionOf(definition, inputs, host).dialect);
  } catch (error) {
    if (error instanceof ConfigurationError) return definition;
    throw error;
  }
}
