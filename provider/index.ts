import { catalog } from "./catalog";
import { dynamicHandler } from "./core/bridge/dynamic/dynamicHandler";
import type { DynamicHandler } from "./core/bridge/dynamic/handler";
import { noticeText } from "./core/bridge/notices";
import { Provider } from "./core/bridge/provider";
import type { Answer } from "./core/functions/answer";
import { type Caller, callFunction, iterateFunction } from "./core/functions/call";
import { withoutStack } from "./core/http/errors";
import { systemRuntime } from "./core/http/options";
import type { Values } from "./core/language/object";
import { beforeEnd } from "./core/requests/beforeEnd";
import type { StackNames } from "./core/requests/userAgent";
import { type Json, ownMember } from "./core/value/json";
import { functionOf } from "./functions";
import { userAgent } from "./version";

/**
 * The handler of a resource type, as the dynamic provider host requests it: `handler("scheduler:Job")`. Loads the definition and its
 * service on first use.
 * @throws RangeError for a type that this package does not have.
 */
export function handler(token: string): DynamicHandler {
  const load = ownMember(catalog, token);
  if (load === undefined) {
    throw new RangeError(
      `pulumi-quarterdeck has no resource ${token}; it has: ${Object.keys(catalog).join(", ")}`,
    );
  }
  return dynamicHandler(load(), (config, isFromProgram) => providerOf(config, isFromProgram, ofHost()));
}

/** The parts that the SDK passes when a program calls a function. */
export interface Calling {
  /** A value of the stack's configuration, by its full key. */
  readonly config: (key: string) => string | undefined;
  readonly log: (level: "info" | "warning", message: string) => void;
  readonly signal?: AbortSignal;
  /** The stack of the call, which its requests name. */
  readonly stack?: StackNames;
}

/**
 * Calls a function, `call("mesh:getConfigEntry", { … }, calling)`.
 * @throws Error with every problem of the arguments, or with the server's error.
 */
export async function call(token: string, args: Values, calling: Calling): Promise<Answer> {
  try {
    return await callFunction(functionOf(token), args, callerFor(token, args, calling));
  } catch (error) {
    throw withFunctionName(token, error);
  }
}

/** Yields the elements of a list one by one, or the changes that a watch sees. */
export async function* iterate(
  token: string,
  args: Values,
  calling: Calling,
): AsyncGenerator<Json, void, void> {
  try {
    yield* iterateFunction(functionOf(token), args, callerFor(token, args, calling));
  } catch (error) {
    throw withFunctionName(token, error);
  }
}

/** An error with the name of the function, because Pulumi does not add it here. */
function withFunctionName(token: string, error: unknown): Error {
  return withoutStack(new Error(`${token}: ${withoutStack(error).message}`));
}

function callerFor(token: string, args: Values, { config, log, signal, stack }: Calling): Caller {
  const name = typeof args.connection === "string" ? args.connection : undefined;
  const connection = providerOf(config, true, stack).connection(functionOf(token).service, name);
  return { connection, log, ...(signal && { signal }) };
}

/** The stack of the dynamic provider host: Pulumi provides the name of the project, but not that of the stack. */
function ofHost(): StackNames {
  return { project: process.env.PULUMI_NODEJS_PROJECT };
}

/** The configuration keys of this package. */
const KEYS = ["workspaces", "scheduler", "secrets", "mesh", "connections", "dialect", "adopt"].map(
  (name) => `quarterdeck:${name}`,
);

/** The providers of one configuration: `byProgram` if a program has set it, `stored` if it comes from an earlier state. */
interface Providers {
  readonly byProgram: Provider;
  readonly stored: Provider;
  /** True if a program has used the configuration in this process. */
  isFromProgram: boolean;
}

/**
 * The providers of this process, two for each configuration. They open nothing before their first use. The host calls each
 * resource through separate code, which shares only this entry.
 */
const providers = new Map<string, Providers>();

/**
 * The provider of a configuration. The host does not report the origin of a configuration. Until a program uses it in this
 * process, it counts as stored in a state, as in a refresh and a destroy.
 */
function providerOf(
  config: ((key: string) => string | undefined) | undefined,
  isFromProgram: boolean,
  stack: StackNames = {},
): Provider {
  const written = new Map(KEYS.map((key) => [key, config?.(key)]));
  const key = JSON.stringify([...written.values(), stack.project, stack.stack]);
  const found = providers.get(key) ?? providersFor(written, stack);
  providers.set(key, found);
  found.isFromProgram ||= isFromProgram;
  return found.isFromProgram ? found.byProgram : found.stored;
}

function providersFor(written: ReadonlyMap<string, string | undefined>, stack: StackNames): Providers {
  const providerFor = (isStored: boolean) =>
    new Provider(
      { get: (name) => written.get(name), env: process.env, isStored },
      {
        runtime: systemRuntime,
        userAgent: userAgent(stack),
        beforeEnd: (task) => beforeEnd(task, systemRuntime),
        // A line under the stack in Pulumi's output.
        tell: (notice) => console.log(`quarterdeck: ${noticeText(notice)}`),
      },
    );
  return { byProgram: providerFor(false), stored: providerFor(true), isFromProgram: false };
}
