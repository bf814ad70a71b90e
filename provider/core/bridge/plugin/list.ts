import { status } from "@grpc/grpc-js";
import { type ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { listObjects, questionOf, whyUnlisted } from "../../functions/objects";
import { withoutStack } from "../../http/errors";
import type { AnyDefinition } from "../../language/resource";
import { asKnown, hasUnknown } from "../../value/unknown";
import { continuationOf, onwardIn } from "./continuation";
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
