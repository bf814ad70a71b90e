import { catalog } from "./catalog";
import { type DynamicHandler, dynamicHandler } from "./core/bridge/dynamic";
import { type Configuration, type Connection, connect } from "./core/connection";
import type { AnyDefinition } from "./core/define";
import { systemRuntime } from "./core/http/runtime";

const USER_AGENT = "pulumi-quarterdeck/0.1.0";

/** The connections of this process: one pool a connection, whatever number of types share it. */
const connections = new Map<string, Connection>();
const printed = new Set<string>();

/**
 * The handler of a resource type, as the dynamic host asks for it: `handler("scheduler:Job")`.
 * The definition, and with it its service, is loaded here, on first use.
 * @throws RangeError for a type that this package does not have.
 */
export function handler(token: string): DynamicHandler {
  const load = catalog[token];
  if (load === undefined) {
    throw new RangeError(
      `pulumi-quarterdeck has no resource ${token}; it has: ${Object.keys(catalog).join(", ")}`,
    );
  }
  return dynamicHandler(load(), { connection: connectionFor, print });
}

function connectionFor(
  definition: AnyDefinition,
  name: string | undefined,
  config: ((key: string) => string | undefined) | undefined,
): Connection {
  const configuration: Configuration = { get: (key) => config?.(key), env: process.env };
  const { service } = definition;
  const written = config?.(name === undefined ? `quarterdeck:${service.name}` : "quarterdeck:connections");
  const key = JSON.stringify([service.name, name, written]);
  const known = connections.get(key);
  if (known) return known;
  const made = connect(service, name, configuration, {
    runtime: systemRuntime,
    userAgent: USER_AGENT,
    warn: print,
  });
  connections.set(key, made);
  return made;
}

/** A line under the stack in the engine's output; the same line once a process. */
function print(line: string): void {
  if (printed.has(line)) return;
  printed.add(line);
  console.log(`quarterdeck: ${line}`);
}
