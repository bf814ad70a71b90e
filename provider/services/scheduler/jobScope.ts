import { z } from "zod";
import {
  type Address,
  addressOf,
  askBlocking,
  blockingFields,
  blockingResult,
  errorFrom,
  errorOfRead,
  type FunctionDefinition,
  field,
  functionFields,
  type HttpResponse,
  isObject,
  isSuccess,
  knownAddress,
  type QueryMeta,
  queryMetaOf,
  type RequestContext,
  type Route,
  type Values,
} from "../../core";
import job from "./job";
import { inNamesOf } from "./jobNames";
import { inScope, scheduler } from "./service";

/** The scope of a query about jobs, and the required freshness of the response. */
export const scopeFields = {
  namespace: field(z.string().min(1).optional(), {
    doc: "Namespace to query. Default: the connection's, then the token's.",
    role: "identity",
    location: "address",
  }),
  region: field(z.string().min(1).optional(), {
    doc: "Region to query. Default: the connection's, then the agent's.",
    location: "address",
  }),
  stale: field(z.boolean().optional(), {
    doc: "Allow any server to respond, usually within 50 ms of the leader's state. Default: false, only the leader responds.",
    role: "steering",
  }),
} as const;

/** The arguments of a query about one job that Nomad can answer after a change (blocking query). */
export const jobFields = {
  jobId: field(z.string().min(1), {
    doc: "ID of the job to query.",
    role: "identity",
    location: "address",
  }),
  ...scopeFields,
  ...blockingFields,
  ...functionFields,
} as const;

/** The metadata of such a response. */
export const queryMetaFields = blockingResult;

/** The common part of all queries about jobs: the same settings supply omitted parts of the address. */
export const jobQuestion = {
  service: scheduler,
  where: { defaults: job.where.defaults, names: job.where.names },
} as const;

/** The address of a query, from its arguments and the connection. */
export function scopeOf(definition: FunctionDefinition, context: RequestContext, args: Values): Address {
  return knownAddress(addressOf(definition, context.connection, args));
}

/** Query parameters that are flags: sent as `true`, or omitted. */
export function flags(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === true ? [[name, "true"]] : [])),
  );
}

/** The index in a response, for the next blocking query. */
export function indexIn({ index }: Values): string | undefined {
  return typeof index === "string" ? index : undefined;
}

/** Sends a query about one job. Every response except a success is an error. */
export async function askJob(
  definition: FunctionDefinition,
  context: RequestContext,
  args: Values,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly answer: HttpResponse; readonly meta: QueryMeta }> {
  const address = scopeOf(definition, context, args);
  const route: Route = { method: "GET", path, query: inScope };
  const asked = { ...flags({ stale: args.stale }), ...query };
  const answer = await askBlocking(context, { route, address, query: asked }, args);
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  return { answer, meta: queryMetaOf(context, answer) };
}

/** Reads the job itself. */
export async function askedJob(definition: FunctionDefinition, context: RequestContext, args: Values) {
  const path = "/job/{jobId}";
  const { answer, meta } = await askJob(definition, context, args, path);
  const { json } = answer;
  if (isObject(json) && json.ID === args.jobId)
    return { job: inNamesOf(context.connection.dialect, json), meta };
  throw errorOfRead(context, answer, { method: "GET", path }, scopeOf(definition, context, args));
}
