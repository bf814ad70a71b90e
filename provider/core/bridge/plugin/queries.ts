import { createHash } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import {
  type InvokeRequest,
  InvokeResponse,
  type ListRequest,
  ListResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { type Caller, callFunction } from "../../functions/call";
import type { FunctionDefinition } from "../../functions/define";
import { listObjects, type Onward, questionOf, whyUnlisted } from "../../functions/objects";
import { withoutStack } from "../../http/errors";
import type { AnyDefinition } from "../../language/resource";
import { formatJson, type Json, objectIn } from "../../value/json";
import { asKnown, hasUnknown, type Inputs } from "../../value/unknown";
import { ENGINE_UNKNOWN, toEngine } from "../engineValues";
import { connectionOf } from "../provider";
import { failure } from "./failures";
import type { CallContext } from "./resource";
import { parseProperties, programInputsOf, structOf } from "./values";

/** Calls a function. A preview does not request credentials: their result is unknown there. */
export async function invoke(
  definition: FunctionDefinition,
  request: InvokeRequest,
  around: CallContext,
): Promise<InvokeResponse> {
  const response = new InvokeResponse();
  // A function that always fails also fails in the preview.
  const isForUp = definition.isCredential === true && definition.replaced === undefined;
  if (request.getPreview() && isForUp) {
    const unknown = Object.keys(definition.result).map((name) => [name, ENGINE_UNKNOWN]);
    response.setReturn(structOf(Object.fromEntries(unknown)));
    return response;
  }
  const args = asKnown(programInputsOf(definition, parseProperties(request.getArgs())));
  const { result, isSecret } = await callFunction(definition, args, callerOf(definition, args, around));
  response.setReturn(structOf(toEngine(result, (path) => isSecret && path.length === 1)));
  return response;
}

function callerOf(
  { service }: Pick<AnyDefinition, "service">,
  args: Inputs,
  { host, signal, behalf = {} }: CallContext,
): Caller {
  const log: Caller["log"] = (kind, text) => host.tell({ kind, text });
  return { connection: connectionOf({ service }, args, host), log, signal, behalf };
}

/** The page size if the engine requests none. */
const PAGE_SIZE = 100;

/** The maximum page size. */
const LARGEST_PAGE_SIZE = 1000;

/**
 * Yields one page of a definition's objects, each as soon as it is known, and the position of the next page.
 * @throws a failure with the reason why the objects cannot be listed, or with every problem of the query
 */
export async function* listPage(
  definition: AnyDefinition,
  request: ListRequest,
  around: CallContext,
): AsyncGenerator<ListResponse, void, void> {
  const question = questionOf(definition);
  if (question === undefined)
    throw failure(`${definition.token} cannot be listed: ${whyUnlisted(definition)}`, status.UNIMPLEMENTED);
  const query = programInputsOf(definition, parseProperties(request.getQuery()));
  if (hasUnknown(query)) {
    yield unknownListResponse();
    return;
  }
  const args = asKnown(query);
  const asked = { token: definition.token, args };
  const [size, limit, token] = [request.getPageSize(), request.getLimit(), request.getContinuationToken()];
  const wanted = {
    size: size > 0 ? Math.min(size, LARGEST_PAGE_SIZE) : PAGE_SIZE,
    ...(limit > 0 && { limit }),
    ...(token !== "" && { from: onwardIn(asked, token) }),
  };
  try {
    const objects = listObjects(question, args, wanted, callerOf(definition, args, around));
    for (;;) {
      const { done, value } = await objects.next();
      if (!done) {
        // The engine imports what this yields. No program can manage an object that is set apart.
        if (value.apart === undefined) yield result(value.id, value.name);
        continue;
      }
      if (value !== undefined) yield continuation(continuationOf(asked, value));
      return;
    }
  } catch (error) {
    throw failure(withoutStack(error).message);
  }
}

function unknownListResponse(): ListResponse {
  const response = new ListResponse();
  response.setComputed(new ListResponse.Computed());
  return response;
}

function result(id: string, name: string): ListResponse {
  const found = new ListResponse.Result();
  found.setId(id);
  found.setName(name);
  const response = new ListResponse();
  response.setResult(found);
  return response;
}

function continuation(token: string): ListResponse {
  const next = new ListResponse.Continuation();
  next.setContinuationToken(token);
  const response = new ListResponse();
  response.setContinuation(next);
  return response;
}

/** The parameters of a list. Only the same list can continue from a token. */
export interface ListParameters {
  /** The definition's own token, `scheduler:Job`. */
  readonly token: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** An opaque token with which an engine requests the next page. */
export function continuationOf(asked: ListParameters, onward: Onward): string {
  return Buffer.from(JSON.stringify({ ...onward, of: fingerprint(asked) })).toString("base64url");
}

/**
 * The position that a token contains.
 * @throws a failure for a token that is invalid, or that belongs to a different list
 */
export function onwardIn(asked: ListParameters, token: string): Onward {
  const { of, at, after, size, left } = objectIn(Buffer.from(token, "base64url").toString("utf8")) ?? {};
  const isOurs =
    typeof of === "string" &&
    isCount(size) &&
    (left === undefined || isCount(left)) &&
    [at, after].every((text) => text === undefined || typeof text === "string");
  if (!isOurs) throw refusal(asked, "was not issued by this provider");
  if (of !== fingerprint(asked)) {
    throw refusal(asked, "belongs to a different list: use it only with the same type and the same inputs");
  }
  // The checks above prove these types.
  return { at, after, size, left } as Onward;
}

function refusal({ token }: ListParameters, reason: string): Partial<ServiceError> {
  return failure(`${token}: the continuation token ${reason}`, status.INVALID_ARGUMENT);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function fingerprint({ token, args }: ListParameters): string {
  const inOrder = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(formatJson([token, inOrder]))
    .digest("base64url");
}
