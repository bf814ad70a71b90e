import type { Runtime } from "../../http/client";
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

/** How long a cluster without a leader may take to elect one, in milliseconds. */
export const ELECTION_MS = 30_000;

/**
 * Repeats a request while its cluster elects a leader, because the cluster applies nothing until then. A read is also
 * repeated if its leader was lost or is not ready yet.
 */
export function waitForLeader({ leaderless }: Service, runtime: Runtime): Middleware {
  if (leaderless === undefined) return (next) => next;
  const { absent, lost, unready } = leaderless;
  return (next) => (request) => {
    const words = request.nature === "read" ? [absent, lost, unready] : [absent];
    const end = runtime.now() + ELECTION_MS;
    return next({
      ...request,
      repeatWhile: (answer) =>
        request.repeatWhile?.(answer) === true ||
        (answer.status >= 500 && words.some((one) => one?.test(answer.text)) && runtime.now() < end),
    });
  };
}
