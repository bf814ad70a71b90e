import type { RequestOrigin } from "../http/request";
import { type AnyDefinition, inDialect } from "../language/resource";
import type { Connection } from "../language/service";
import { ConfigurationError } from "../requests/given";
import type { ProgramInputs } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Provider } from "./provider";

/** The parts of a provider that a call needs. */
export type Host = Pick<
  Provider,
  | "adoptsIdentical"
  | "connection"
  | "going"
  | "places"
  | "readings"
  | "secretAt"
  | "shared"
  | "tell"
  | "unforetold"
  | "writes"
>;

/** The values that an engine sends with a call for one resource. */
export interface CallValues {
  readonly id?: string;
  readonly inputs: ProgramInputs;
  readonly outputs?: Inputs;
}

/** The time limit of a call in milliseconds, the signal that cancels it, and the origin of its requests. */
export interface CallLimits {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly behalf?: RequestOrigin;
}

/** The connection that a resource's inputs name. */
export function connectionOf(
  { service }: AnyDefinition,
  { connection: name }: Inputs,
  host: Host,
): Connection {
  return host.connection(service, typeof name === "string" ? name : undefined);
}

/** The definition in the dialect of the servers; unchanged while the configuration cannot be used. */
export function definitionFor(definition: AnyDefinition, { inputs }: CallValues, host: Host): AnyDefinition {
  if (definition.inDialect === undefined) return definition;
  try {
    return inDialect(definition, connectionOf(definition, inputs, host).dialect);
  } catch (error) {
    if (error instanceof ConfigurationError) return definition;
    throw error;
  }
}
