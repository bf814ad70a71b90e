import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { expressionText } from "../filter";
import { bridgeOfStack, ofThisVersion, refuseWithoutPlugin } from "./bridge";
import { typeOn } from "./kind";

/** What the runtime must know of a function; the generated ones hold it as data. */
export interface FunctionKind {
  /** `service:function`. */
  readonly token: string;
  /** The arguments that a program must write. */
  readonly required: readonly string[];
  /** The arguments that are filter expressions: text, or what the builder of them makes. */
  readonly filters?: readonly string[];
}

/** Options of a function. */
export interface AskOptions {
  /** The explicit provider that is asked; with the plugin only. Default: the stack's own configuration. */
  readonly provider?: pulumi.ProviderResource;
}

/** Options of a function in its Output form. */
export interface CallOptions extends AskOptions {
  /** Resources that must be there before the function is called. */
  readonly dependsOn?: pulumi.Input<pulumi.Resource> | readonly pulumi.Input<pulumi.Resource>[];
}

/** Options of a function that yields one value after the other. */
export interface IterationOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** The part of the provider that functions need. It is loaded when the first function is called. */
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
 * Calls a function with arguments that are known now.
 * @throws Error naming every required argument that is missing, and what the provider says.
 */
export async function call<R>(
  kind: FunctionKind,
  args: object | undefined,
  opts: AskOptions = {},
): Promise<R> {
  const written = definedOf(kind, args);
  const result = isOfPlugin(kind, opts)
    ? await pulumi.runtime.invoke(typeOn("plugin", kind.token), written, askedOf(opts))
    : (await provider().call(kind.token, written, calling())).result;
  // The generated function declares what the definition answers.
  return result as R;
}

/**
 * Calls a function as soon as its arguments are known, and every resource that it depends on is there; until then,
 * as in a preview, the result is unknown. It is secret where anything in it is.
 */
export function callOutput<R>(
  kind: FunctionKind,
  args: pulumi.Inputs | undefined,
  opts: CallOptions = {},
): pulumi.Output<R> {
  const dependencies = [opts.dependsOn ?? []].flat();
  const ready = pulumi.output(dependencies).apply((resources) =>
    // A resource that is still to be made has no id yet, so nothing is asked before it.
    pulumi.all(
      resources.map((resource) => (resource instanceof pulumi.CustomResource ? resource.id : resource.urn)),
    ),
  );
  const isOfEngine = isOfPlugin(kind, opts);
  const answered = pulumi.all([pulumi.output(args ?? {}), ready]).apply(async ([known]) => {
    const written = definedOf(kind, known);
    if (isOfEngine) return pulumi.runtime.invokeOutput(typeOn("plugin", kind.token), written, askedOf(opts));
    const { result, isSecret } = await provider().call(kind.token, written, calling());
    return isSecret ? pulumi.secret(result) : pulumi.output(result);
  });
  // The engine's SDK flattens an output in an output; the generated function declares what is in it.
  return answered as unknown as pulumi.Output<R>;
}

/** Credentials: a preview sends nothing, because a call may make new ones, and the result is unknown there. Always secret. */
export function callForCredentials<R>(
  kind: FunctionKind,
  args: pulumi.Inputs | undefined,
  opts: CallOptions = {},
): pulumi.Output<R> {
  // A test's mocks mark nothing.
  if (!pulumi.runtime.isDryRun()) return pulumi.secret(callOutput<R>(kind, args, opts)) as pulumi.Output<R>;
  // Nothing is in it yet, of whatever type it will be.
  return pulumi.secret(pulumi.output(pulumi.unknown)) as unknown as pulumi.Output<R>;
}

/** One value after the other: the elements of a list, page by page, or what a watch sees. */
export async function* iterate<T>(
  kind: FunctionKind,
  args: object | undefined,
  { signal }: IterationOptions = {},
): AsyncGenerator<T, void, void> {
  const written = definedOf(kind, args);
  if (isMocked())
    throw new Error(
      `${kind.token.replace(":", ".")}: pulumi.runtime.setMocks has one answer for a call, and none for an iteration; ` +
        "in a program that is tested with mocks call the function that begins with get, such as getWorkspaces",
    );
  const all = provider().iterate(kind.token, written, { ...calling(), ...(signal && { signal }) });
  // The generated function declares what the definition yields.
  for await (const value of all) yield value as T;
}

/** Whether a unit test has set mocks, which then answer every call. */
function isMocked(): boolean {
  return pulumi.runtime.getMonitor() instanceof MockMonitor;
}

/** Whether the engine, or a test's mocks, are asked; else the provider is asked in the program's own process. */
function isOfPlugin({ token }: FunctionKind, { provider }: AskOptions): boolean {
  if (provider !== undefined) refuseWithoutPlugin(`${token.replace(":", ".")}: the option provider`);
  return isMocked() || bridgeOfStack() === "plugin";
}

function askedOf({ provider }: AskOptions): pulumi.InvokeOptions {
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
  // The package finds its own other entry by name, as a program would.
  return require("pulumi-quarterdeck/provider") as ProviderEntry;
}

function definedOf({ token, required, filters }: FunctionKind, args: object | undefined): object {
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
