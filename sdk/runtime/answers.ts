import { type CustomResourceOptions, runtime } from "@pulumi/pulumi";

type Client = NonNullable<ReturnType<typeof runtime.getMonitor>>;

/** A property in the engine's response, and the URNs of the resources that it depends on. */
export interface AnsweredProperty {
  /** The wire value, with secrets and unknown parts marked. */
  readonly value: unknown;
  readonly dependencies: readonly string[];
}

/** The properties in the engine's response that the program did not write. */
export interface ResourceAnswer {
  /** True if the engine skipped the object, so that missing properties are unknown, not undefined. */
  readonly isSkipped: boolean;
  /** Returns undefined for a property that is not in the response. */
  of(property: string): AnsweredProperty | undefined;
}

/** The response to one registration, once it has arrived; it exists as long as the resource. */
export interface AwaitedAnswer {
  /** The properties to store; the rest of the response is dropped. */
  readonly properties: readonly string[];
  answer?: ResourceAnswer;
}

/** Keyed by the list of secret outputs: the request contains the same array, which identifies the resource of a response. */
const awaited = new WeakMap<readonly string[], AwaitedAnswer>();

const watched = new WeakSet<object>();

/**
 * True if this runtime can observe the engine's responses, so that outputs can be created when they are first read. It
 * cannot without an engine, for a resource given by its URN, or if a transformation may read or replace properties and
 * options.
 */
export function areAnswersSeen(opts: CustomResourceOptions | undefined): boolean {
  if (opts?.urn !== undefined) return false;
  const parent: { __transformations?: readonly unknown[] } = Object(
    opts?.parent ?? runtime.getStackResource(),
  );
  if ((opts?.transformations?.length ?? 0) > 0 || (parent.__transformations?.length ?? 0) > 0) return false;
  const client = runtime.getMonitor();
  if (client === undefined) return false;
  watch(client);
  return true;
}

/** Registers interest in these properties of the response to the registration with these secret outputs. */
export function awaitAnswer(secretOutputs: readonly string[], properties: readonly string[]): void {
  awaited.set(secretOutputs, { properties });
}

/** The entry for that response; undefined if none was registered. */
export function answerTo(secretOutputs: readonly string[] | undefined): AwaitedAnswer | undefined {
  return secretOutputs && awaited.get(secretOutputs);
}

/** Intercepts the responses to registrations and reads, on this client object only. */
function watch(client: Client): void {
  if (watched.has(client)) return;
  watched.add(client);
  watchCall(client, "registerResource");
  watchCall(client, "readResource");
}

interface Request {
  getAdditionalsecretoutputsList(): readonly string[];
}

interface Response {
  getObject?(): Struct | undefined;
  getProperties?(): Struct | undefined;
  getPropertydependenciesMap?(): ReadonlyByName<{ getUrnsList(): string[] }> | undefined;
  getUnknown(): boolean;
}

interface ReadonlyByName<Member> {
  get(name: string): Member | undefined;
}

interface Struct {
  getFieldsMap(): ReadonlyByName<{ toJavaScript(): unknown }>;
}

type Call = (request: Request, ...rest: unknown[]) => unknown;

function watchCall(client: Client, name: "registerResource" | "readResource"): void {
  // The mock client and the engine's client have the same calls, but different types.
  const calls = client as unknown as Record<typeof name, Call>;
  const call = calls[name];
  calls[name] = function (this: unknown, request, ...rest) {
    const place = awaited.get(request.getAdditionalsecretoutputsList());
    const callback = rest.at(-1);
    if (place === undefined || typeof callback !== "function") return call.call(this, request, ...rest);
    const passOn = (error: unknown, response: Response | undefined) => {
      if (!error && response !== undefined) place.answer = answerIn(response, place.properties);
      callback(error, response);
    };
    return call.call(this, request, ...rest.slice(0, -1), passOn);
  };
}

function answerIn(response: Response, properties: readonly string[]): ResourceAnswer {
  const values = (response.getObject?.() ?? response.getProperties?.())?.getFieldsMap();
  const dependencies = response.getPropertydependenciesMap?.();
  const answered = new Map<string, () => AnsweredProperty>();
  for (const property of properties) {
    const value = values?.get(property);
    if (value === undefined) continue;
    const urns = dependencies?.get(property)?.getUrnsList() ?? [];
    answered.set(property, () => ({ value: value.toJavaScript(), dependencies: urns }));
  }
  return { isSkipped: response.getUnknown(), of: (property) => answered.get(property)?.() };
}
