import type { Dialect, Service } from "../../language/service";
import { renameMembers, renameParameters } from "../dialect";
import type { Middleware } from ".";

/** Translates the members of requests and responses between the specification's names and those of the server. */
export function translateNames(dialect: Dialect): Middleware {
  return (next) => async (request) => {
    const { body, query } = request;
    const answer = await next({
      ...request,
      ...(query && { query: renameParameters(query, dialect) }),
      ...(body !== undefined && { body: renameMembers(body, dialect, "dialect") }),
    });
    if (answer.json === undefined) return answer;
    return { ...answer, json: renameMembers(answer.json, dialect, "specification") };
  };
}

/** Adds the service's content type, and its prefix to the path. */
export function addressService({ contentType, prefix }: Service): Middleware {
  return (next) => (request) =>
    next({ contentType, ...request, path: request.isAtRoot ? request.path : prefix + request.path });
}
