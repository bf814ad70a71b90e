import { catalog } from "./catalog";
import { noticeText } from "./core/bridge/asideProperty";
import { dynamicHandler } from "./core/bridge/dynamic/dynamicHandler";
import type { DynamicHandler } from "./core/bridge/dynamic/errors";
import { Provider } from "./core/bridge/provider";
import { type Caller, callFunction, iterateFunction } from "./core/functions/call";
import type { Answer } from "./core/functions/plain";
import { presentable } from "./core/http/errors";
import { systemRuntime } from "./core/http/timeBudget";
import type { Values } from "./core/language/object";
import { beforeEnd } from "./core/requests/context";
import type { StackNames } from "./core/requests/userAgent";
import { type Json, ownMember } from "./core/value/json";
import { functionOf } from "./functions";
import { userAgent } from "./version";

/**
 * The handler of a resource type, as the dynamic host asks for it: `handler("scheduler:Job")`.
 * The definition, and with it its service, is loaded here, on first use.
 * @throws RangeError for a type that this package does not have.
 */
export function handler(token: string): DynamicHandler {
  const load = ownMember(catalog, token);
  if (load === undefined) {
    throw new RangeError(
      `pulumi-quarterdeck has no resource ${token}; it has: ${Object.keys(catalog).join(", ")}`,
    );
  }
  return dynamicHandler(load(), (config, isSaid) => providerOf(config, isSaid, ofHost()));
}

/** What the SDK hands over when a program calls a function. */
export interface Calling {
  /** A value of the stack's configuration, by its full key. */
  readonly config: (key: string) => string | undefined;
  readonly log: (level: "info" | "warning", message: string) => void;
  readonly signal?: AbortSignal;
  /** The stack that is asked for; its requests name it. */
  readonly stack?: StackNames;
}

/**
 * Calls a function, `call("mesh:getConfigEntry", { … }, calling)`.
 * @throws Error with everything that is wrong with the arguments, or with what the service says.
 */
export async function call(token: string, args: Values, calling: Calling): Promise<Answer> {
  try {
    return await callFunction(functionOf(token), args, callerFor(token, args, calling));
  } catch (error) {
    throw named(token, error);
  }
}

/** The elements of a list one by one, or what a watch sees as it changes. */
export async function* iterate(
  token: string,
  args: Values,
  calling: Calling,
): AsyncGenerator<Json, void, void> {
  try {
    yield* iterateFunction(functionOf(token), args, callerFor(token, args, calling));
  } catch (error) {
    throw named(token, error);
  }
}

/** An error with the name of the function: no engine adds it here. */
function named(token: string, error: unknown): Error {
  return presentable(new Error(`${token}: ${presentable(error).message}`));
}

function callerFor(token: string, args: Values, { config, log, signal, stack }: Calling): Caller {
  const name = typeof args.connection === "string" ? args.connection : undefined;
  const connection = providerOf(config, true, stack).connection(functionOf(token).service, name);
  return { connection, log, ...(signal && { signal }) };
}

/** What the dynamic host knows of its stack: its engine names it the project, and nobody the stack. */
function ofHost(): StackNames {
  return { project: process.env.PULUMI_NODEJS_PROJECT };
}

/** Everything of a configuration that is ours. */
const KEYS = ["workspaces", "scheduler", "secrets", "mesh", "connections", "dialect", "adopt"].map(
  (name) => `quarterdeck:${name}`,
);

/** The providers of one configuration: of now, and as a state holds it from some earlier time. */
interface Providers {
  readonly said: Provider;
  readonly stored: Provider;
  /** Whether a program has said it. */
  isSaid: boolean;
}

/**
 * The providers of this process, two for each configuration, neither of which opens anything before it is asked. The host calls
 * each resource through a text of its own, and those have nothing in common but this entry.
 */
const providers = new Map<string, Providers>();

/**
 * The provider of a configuration. The host does not tell where one is from: as long as no program has said it in this
 * process, it is one that a state holds, as in a refresh and a destroy.
 */
function providerOf(
  config: ((key: string) => string | undefined) | undefined,
  isSaid: boolean,
  stack: StackNames = {},
): Provider {
  const written = new Map(KEYS.map((key) => [key, config?.(key)]));
  const key = JSON.stringify([...written.values(), stack.project, stack.stack]);
  const found = providers.get(key) ?? madeOf(written, stack);
  providers.set(key, found);
  found.isSaid ||= isSaid;
  return found.isSaid ? found.said : found.stored;
}

function madeOf(written: ReadonlyMap<string, string | undefined>, stack: StackNames): Providers {
  const made = (isStored: boolean) =>
    new Provider(
      { get: (name) => written.get(name), env: process.env, isStored },
      {
        runtime: systemRuntime,
        userAgent: userAgent(stack),
        beforeEnd: (deed) => beforeEnd(deed, systemRuntime),
        // A line under the stack in the engine's output.
        tell: (told) => console.log(`quarterdeck: ${noticeText(told)}`),
      },
    );
  return { said: made(false), stored: made(true), isSaid: false };
}
