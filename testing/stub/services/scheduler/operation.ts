import { isObject } from "../../json";
import type { StubRequest } from "../../service";
import type { Caller } from "./callers";
import { fromWire } from "./dialect";
import { invalid, notFound, permissionError } from "./errors";
import type { Identifiers } from "./identifiers";
import type { Capability, Switches } from "./settings";
import { type Field, ShapeError } from "./shape/field";
import type { Job } from "./shape/job";
import { keyOf, type World } from "./world";

/** One request in progress: its caller, and the state that it may change. */
export interface Operation {
  readonly request: StubRequest;
  readonly caller: Caller;
  readonly world: World;
  readonly switches: Switches;
  readonly identifiers: Identifiers;
  /** The region that serves the request. */
  readonly region: string;
  /** From the query; defaults to `default`. */
  readonly namespace: string;
  readonly now: number;
}

/** An endpoint's result; the server converts it to the dialect and adds the headers. */
export interface Outcome {
  /** Undefined if the response has no body. */
  readonly body: unknown;
  /** Default: 200. An outcome with an error's status changes nothing. */
  readonly status?: number;
  /** `X-Sched-Index`; a blocking query waits until this exceeds the index that it named. */
  readonly index: number;
  /** `X-Sched-Nexttoken`, if there are more pages. */
  readonly nextToken?: string | undefined;
}

/** One endpoint of the section "Endpoints"; `path` is relative to `/v1`. */
export interface Endpoint {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly section: string;
  /** The region that the body asks for if the query names none. */
  regionOf?(request: StubRequest): string | undefined;
  handle(operation: Operation): Outcome | Promise<Outcome>;
}

/** Throws a 403 if the caller has none of the capabilities in the namespace. */
export function requireAny(
  { caller, namespace, world }: Operation,
  capabilities: readonly Capability[],
  inNamespace = namespace,
): void {
  if (!capabilities.some((capability) => caller.may(capability, inNamespace, world.namespaces)))
    throw permissionError();
}

/** The job in the path, for a caller with read permission; throws a 404 if it does not exist. */
export function theReadableJob(operation: Operation, ...also: readonly Capability[]): Job {
  requireAny(operation, ["read-job", ...also]);
  const job = jobAt(operation);
  if (job === undefined) throw notFound("job not found", operation.world.indexOf("jobs"));
  return job;
}

/** The job in the path. */
export function jobAt({ world, namespace, request }: Operation): Job | undefined {
  return world.jobs.get(keyOf(namespace, pathJobId(request)));
}

export function pathJobId({ params }: StubRequest): string {
  return params.job_id ?? "";
}

/** The body as an object of the given shape; throws a 400 in the decoder's wording otherwise. */
export function readBody<G>({ request, switches }: Operation, name: string, shape: Field<unknown, G>): G {
  const document = fromWire(request.json(), switches.dialect);
  try {
    const given = shape.read(document, name);
    if (given === undefined || !isObject(document)) throw new ShapeError(document, name, "struct");
    return given;
  } catch (error) {
    if (error instanceof ShapeError) throw invalid(error.message);
    throw error;
  }
}

/** Parses a boolean query parameter as Nomad does; `refusal` creates the error for an invalid value. */
export function queryFlag(request: StubRequest, name: string, refusal: (message: string) => Error): boolean {
  const text = request.query.get(name);
  if (text === null || text === "") return false;
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
  throw refusal(
    `Failed to parse value of "${name}" (${text}) as a bool: strconv.ParseBool: parsing "${text}": invalid syntax`,
  );
}
