import { type CustomResourceOptions, runtime } from "@pulumi/pulumi";

type Client = NonNullable<ReturnType<typeof runtime.getMonitor>>;

/** What the engine answered of one property, and the URNs of what that depends on. */
export interface AnsweredProperty {
  /** As it travels, secrets and unknown parts marked. */
  readonly value: unknown;
  readonly dependencies: readonly string[];
}

/** What the engine's answer to a registration says of the properties that the program did not write. */
export interface Answer {
  /** The object was skipped, so that what it does not name is unknown, and not undefined. */
  readonly isSkipped: boolean;
  /** Undefined of a property that it does not name. */
  of(property: string): AnsweredProperty | undefined;
}

/** The answer to one registration, from when it is there; it lives as long as the resource does. */
export interface AwaitedAnswer {
  /** The properties of which anybody may ask; nothing else of an answer is kept. */
  readonly properties: readonly string[];
  answer?: Answer;
}

/** The list of secret outputs goes into the request as it is, and so tells which resource an answer is for. */
const awaited = new WeakMap<readonly string[], AwaitedAnswer>();

const watched = new WeakSet<object>();

/**
 * Whether the engine's answers reach this runtime, so that outputs can be made of them when they are read. They do not for
 * a resource that is named by its URN, without an engine, and where a transformation may see or exchange the properties
 * and options on their way.
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

/** Makes a place for what the registration with these secret outputs is answered of these properties. */
export function awaitAnswer(secretOutputs: readonly string[], properties: readonly string[]): void {
  awaited.set(secretOutputs, { properties });
}

/** The place for that answer; undefined where none is awaited. */
export function answerTo(secretOutputs: readonly string[] | undefined): AwaitedAnswer | undefined {
  return secretOutputs && awaited.get(secretOutputs);
}

/** Has the answers to registrations and reads of this client pass by here, on the client itself and nowhere else. */
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
  // The client of tests and that of an engine have these calls in the same form, whose types differ.
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

function answerIn(response: Response, properties: readonly string[]): Answer {
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
