import { catalog } from "./catalog";
import { dynamicHandler } from "./core/bridge/dynamic/dynamicHandler";
import type { DynamicHandler } from "./core/bridge/dynamic/handler";
import type { Answer } from "./core/functions/answer";
import { type Caller, callFunction, iterateFunction } from "./core/functions/call";
import { systemRuntime } from "./core/http/runtime";
import type { Connection } from "./core/language/connection";
import type { Values } from "./core/language/object";
import type { Service } from "./core/language/service";
import { type Configuration, connect } from "./core/requests/connection";
import type { Json } from "./core/value/json";
import { functionOf } from "./functions";

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
  return dynamicHandler(load(), {
    connection: ({ service }, name, config) => connectionFor(service, name, config),
    print,
  });
}

/** What the SDK hands over when a program calls a function. */
export interface Calling {
  /** A value of the stack's configuration, by its full key. */
  readonly config: (key: string) => string | undefined;
  readonly log: (level: "info" | "warning", message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Calls a function, `call("mesh:getConfigEntry", { … }, calling)`.
 * @throws Error with everything that is wrong with the arguments, or with what the service says.
 */
export async function call(token: string, args: Values, calling: Calling): Promise<Answer> {
  return callFunction(functionOf(token), args, callerFor(token, args, calling));
}

/** The elements of a list one by one, or what a watch sees as it changes. */
export function iterate(token: string, args: Values, calling: Calling): AsyncGenerator<Json, void, void> {
  return iterateFunction(functionOf(token), args, callerFor(token, args, calling));
}

function callerFor(token: string, args: Values, { config, log, signal }: Calling): Caller {
  const name = typeof args.connection === "string" ? args.connection : undefined;
  const connection = connectionFor(functionOf(token).service, name, config);
  return { connection, log, ...(signal && { signal }) };
}

function connectionFor(
  service: Service,
  name: string | undefined,
  config: ((key: string) => string | undefined) | undefined,
): Connection {
  const configuration: Configuration = { get: (key) => config?.(key), env: process.env };
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
