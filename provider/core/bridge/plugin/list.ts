import { createHash } from "node:crypto";
import { type ServiceError, status } from "@grpc/grpc-js";
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { listObjects, type Onward, questionOf, whyUnlisted } from "../../functions/objects";
import { withoutStack } from "../../http/errors";
import type { AnyDefinition } from "../../language/resource";
import { formatJson, type Json, objectIn } from "../../value/json";
import { asKnown, hasUnknown } from "../../value/unknown";
import { failure } from "./failures";
import type { Surroundings } from "./resource";
import { parseProperties, programInputsOf } from "./values";

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
  { host, signal, behalf = {} }: Surroundings,
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
    const name = typeof args.connection === "string" ? args.connection : undefined;
    const connection = host.connection(definition.service, name);
    const log = (kind: "info" | "warning", text: string) => host.tell({ kind, text });
    const objects = listObjects(question, args, wanted, { connection, log, signal, behalf });
    for (;;) {
      const { done, value } = await objects.next();
      if (!done) {
        yield result(value.id, value.name);
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
export interface AskedFor {
  /** The definition's own token, `scheduler:Job`. */
  readonly token: string;
  readonly args: Readonly<Record<string, Json>>;
}

/** An opaque token with which an engine requests the next page. */
export function continuationOf(asked: AskedFor, onward: Onward): string {
  return Buffer.from(JSON.stringify({ ...onward, of: fingerprint(asked) })).toString("base64url");
}

/**
 * The position that a token contains.
 * @throws a failure for a token that is invalid, or that belongs to a different list
 */
export function onwardIn(asked: AskedFor, token: string): Onward {
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

function refusal({ token }: AskedFor, reason: string): Partial<ServiceError> {
  return failure(`${token}: the continuation token ${reason}`, status.INVALID_ARGUMENT);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function fingerprint({ token, args }: AskedFor): string {
  const inOrder = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(formatJson([token, inOrder]))
    .digest("base64url");
}
