import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { expressionText } from "../filter";
import { bridgeOfStack, ofThisVersion, refuseWithoutPlugin } from "./bridge";
import { typeOn } from "./kind";

/** The metadata of a function; the generated functions contain it. */
export interface FunctionKind {
  /** `service:function`. */
  readonly token: string;
  /** The required arguments. */
  readonly required: readonly string[];
  /** The arguments that accept filter expressions: a string or an expression builder. */
  readonly filters?: readonly string[];
}

/** Options of a function. */
export interface AskOptions {
  /** The explicit provider to call; only with the plugin. Default: the stack's own configuration. */
  readonly provider?: pulumi.ProviderResource;
}

/** Options of a function in its Output form. */
export interface CallOptions extends AskOptions {
  /** Resources that must exist before the function is called. */
  readonly dependsOn?: pulumi.Input<pulumi.Resource> | readonly pulumi.Input<pulumi.Resource>[];
}

/** Options of a function that yields values. */
export interface IterationOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** The part of the provider that functions need. The first function call loads it. */
interface ProviderEntry {
  call(token: string, args: object, calling: Calling): Promise<{ result: unknown; isSecret: boolean }>;
  iterate(token: string, args: object, calling: Calling): AsyncGenerator<unknown, void, void>;
}

interface Calling {
  readonly config: (key: string) => string | undefined;
  readonly log: (level: "info" | "warning", message: string) => void;
  readonly signal?: AbortSignal;
  readonly stack?: { readonly project: string; readonly stack: string };
}

/**
 * Calls a function with known arguments.
 * @throws Error that names every missing required argument, or with the provider's message
 */
export async function call<R>(
  kind: FunctionKind,
  args: object | undefined,
  opts: AskOptions = {},
): Promise<R> {
  const written = definedArguments(kind, args);
  const result = isOfPlugin(kind, opts)
    ? await pulumi.runtime.invoke(typeOn("plugin", kind.token), written, invokeOptions(opts))
    : (await provider().call(kind.token, written, calling())).result;
  // The generated function declares the type of the definition's result.
  return result as R;
}

/**
 * Calls a function when its arguments are known and its dependencies exist. Until then, as in a preview, the result is
 * unknown. The result is secret if any part of it is secret.
 */
export function callOutput<R>(
  kind: FunctionKind,
  args: pulumi.Inputs | undefined,
  opts: CallOptions = {},
): pulumi.Output<R> {
  const dependencies = [opts.dependsOn ?? []].flat();
  const ready = pulumi.output(dependencies).apply((resources) =>
    // A resource that is not created yet has no ID, so the call waits for it.
    pulumi.all(
      resources.map((resource) => (resource instanceof pulumi.CustomResource ? resource.id : resource.urn)),
    ),
  );
  const isOfEngine = isOfPlugin(kind, opts);
  const answered = pulumi.all([pulumi.output(args ?? {}), ready]).apply(async ([known]) => {
    const written = definedArguments(kind, known);
    if (isOfEngine)
      return pulumi.runtime.invokeOutput(typeOn("plugin", kind.token), written, invokeOptions(opts));
    const { result, isSecret } = await provider().call(kind.token, written, calling());
    return isSecret ? pulumi.secret(result) : pulumi.output(result);
  });
  // The engine's SDK flattens nested outputs; the generated function declares the inner type.
  return answered as unknown as pulumi.Output<R>;
}

/**
 * Calls a function that returns credentials. A preview sends no request, and the result is unknown there. The result is
 * always secret.
 */
export function callForCredentials<R>(
  kind: FunctionKind,
  args: pulumi.Inputs | undefined,
  opts: CallOptions = {},
): pulumi.Output<R> {
  // Mocks do not mark secrets, so mark the result here.
  if (!pulumi.runtime.isDryRun()) return pulumi.secret(callOutput<R>(kind, args, opts)) as pulumi.Output<R>;
  // The value is unknown, so its type does not matter.
  return pulumi.secret(pulumi.output(pulumi.unknown)) as unknown as pulumi.Output<R>;
}

/** Yields values: the elements of a list, page by page, or the events of a watch. */
export async function* iterate<T>(
  kind: FunctionKind,
  args: object | undefined,
  { signal }: IterationOptions = {},
): AsyncGenerator<T, void, void> {
  const written = definedArguments(kind, args);
  if (isMocked())
    throw new Error(
      `${kind.token.replace(":", ".")}: a mock of pulumi.runtime.setMocks returns one response for a call, and cannot return elements one by one; ` +
        "in a program that is tested with mocks, call the function whose name begins with get, such as getWorkspaces",
    );
  const all = provider().iterate(kind.token, written, { ...calling(), ...(signal && { signal }) });
  // The generated function declares the type that the definition yields.
  for await (const value of all) yield value as T;
}

/** True if a unit test has set mocks, which answer every call. */
function isMocked(): boolean {
  return pulumi.runtime.getMonitor() instanceof MockMonitor;
}

/** True if the engine or a test's mocks handle the call; otherwise the provider runs in the program's own process. */
function isOfPlugin({ token }: FunctionKind, { provider }: AskOptions): boolean {
  if (provider !== undefined) refuseWithoutPlugin(`${token.replace(":", ".")}: the option provider`);
  return isMocked() || bridgeOfStack() === "plugin";
}

function invokeOptions({ provider }: AskOptions): pulumi.InvokeOptions {
  return { ...ofThisVersion(), ...(provider && { provider }) };
}

function calling(): Calling {
  return {
    config: (key) => pulumi.runtime.getConfig(key),
    stack: { project: pulumi.getProject(), stack: pulumi.getStack() },
    log: (level, message) => {
      void (level === "warning" ? pulumi.log.warn(message) : pulumi.log.info(message));
    },
  };
}

function provider(): ProviderEntry {
  // The package requires its own entry point by name, as a program would.
  return require("pulumi-quarterdeck/provider") as ProviderEntry;
}

function definedArguments({ token, required, filters }: FunctionKind, args: object | undefined): object {
  const written = Object.fromEntries(
    Object.entries(args ?? {})
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, filters?.includes(name) ? expressionText(value) : value]),
  );
  const missing = required.filter((name) => !(name in written));
  if (missing.length === 0) return written;
  const words = missing.length === 1 ? "argument" : "arguments";
  throw new Error(`${token.replace(":", ".")}: missing required ${words} ${missing.join(", ")}`);
}
