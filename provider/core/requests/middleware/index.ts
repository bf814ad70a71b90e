import type { Runtime } from "../../http/options";
import { ActionableError, again } from "../../http/remedies";
import { type HttpRequest, type HttpResponse, isSuccess, maskText } from "../../http/request";
import { completePath } from "../../language/route";
import type { Connection, Dialect, Service } from "../../language/service";
import type { RequestContext } from "../../language/stepInput";
import type { Fingerprints } from "../../value/fingerprint";
import { renameMembers, renameParameters } from "../dialect";

/** Sends a request and returns the response. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** Adds one concern to every request of a connection. */
export type Middleware = (next: Send) => Send;

/** Sends through each middleware. The first one sees a request first and its response last. */
export function compose(middleware: readonly Middleware[], send: Send): Send {
  return middleware.reduceRight((next, wrap) => wrap(next), send);
}

/** The same connection with further middleware before its own. */
export function withMiddleware(connection: Connection, ...middleware: readonly Middleware[]): Connection {
  return { ...connection, send: compose(middleware, (request) => connection.send(request)) };
}

/** How long a server may be busy, and how long a cluster without a leader may take to elect one, in milliseconds. */
export const SERVER_WAIT_MS = 30000;

/**
 * Repeats a request while its server is busy with another request, and while its cluster elects a leader, because neither applies
 * anything until then. A read is also repeated if its leader was lost or is not ready yet.
 */
export function waitForServer({ leaderless, isBusy }: Service, runtime: Runtime): Middleware {
  if (leaderless === undefined && isBusy === undefined) return (next) => next;
  const { absent, lost, unready } = leaderless ?? {};
  return (next) => (request) => {
    const words = request.nature === "read" ? [absent, lost, unready] : [absent];
    const hasNoLeader = ({ status, text }: HttpResponse) =>
      status >= 500 && words.some((one) => one?.test(text) === true);
    const end = (request.attempts?.startedAt ?? runtime.now()) + SERVER_WAIT_MS;
    return next({
      ...request,
      repeatWhile: (answer) =>
        request.repeatWhile?.(answer) === true ||
        ((isBusy?.(answer) === true || hasNoLeader(answer)) && runtime.now() < end),
    });
  };
}

/** A read-only command tried to send a request that could change something. The request was not sent. */
export class ReadOnlyError extends ActionableError {
  override readonly name = "ReadOnlyError";
}

/** Sends reads only. Parsing job text counts as a read. */
export function readOnly(service: string): Middleware {
  return (next) => async (request) => {
    if (request.nature === "read") return next(request);
    const { method, path } = request;
    throw new ReadOnlyError(`${service}: ${method} ${path} was not sent: this connection is read-only`, []);
  };
}

/** Translates the members of requests and responses between the specification's names and those of the server. */
export function translateNames(dialect: Dialect): Middleware {
  if (dialect.members === undefined && dialect.parameters === undefined) return (next) => next;
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
export function addressService(service: Service): Middleware {
  const { contentType } = service;
  return (next) => (request) =>
    next({
      contentType,
      ...request,
      path: request.isAtRoot ? request.path : completePath(service, request.path),
    });
}

/** Replaces fingerprints in the request body with their secrets. */
export function sendSecrets(fingerprints: Fingerprints): Middleware {
  return (next) => async (request) =>
    next(
      request.body === undefined
        ? request
        : { ...request, body: fingerprints.reveal(request.body, failWithoutSecret) },
    );
}

function failWithoutSecret(): never {
  throw new ActionableError(
    "the request needs a secret that is stored outside the state, and the secret cannot be read; nothing was sent.",
    [again(" once the secret can be read")],
    { outcome: "notSent" },
  );
}

/** Logs every warning of a successful response, each text once per operation. */
export function logWarnings({ log, redactor }: Pick<RequestContext, "log" | "redactor">): Middleware {
  const logged = new Set<string>();
  return (next) => async (request) => {
    const answer = await next(request);
    for (const warning of answer.warnings ?? []) {
      const text = redactor.mask(maskText(answer, `the server warns: ${warning.text}`));
      if (logged.has(text)) continue;
      logged.add(text);
      log("warning", text);
    }
    return answer;
  };
}

/** The wire names of the members that the server reports as ignored or changed. */
export function ignoredFields({ warnings = [] }: Pick<HttpResponse, "warnings">): string[] {
  return [...new Set(warnings.flatMap(({ notAccepted = [] }) => notAccepted))];
}

/** Adds the warnings of the service to its responses. */
export function readWarnings(service: Service): Middleware {
  return (next) => async (request) => withWarnings(service, request, await next(request));
}

/** A response with the warnings that the service reports in it. */
export function withWarnings(service: Service, request: HttpRequest, answer: HttpResponse): HttpResponse {
  const { sentBack = [] } = request;
  const all = isSuccess(answer) ? (service.warnings?.(answer, request) ?? []) : [];
  const warnings = all.flatMap((warning) => {
    const { notAccepted } = warning;
    const own = notAccepted?.filter((name) => !sentBack.includes(name));
    if (notAccepted === undefined || own === undefined || own.length === notAccepted.length) return [warning];
    return own.length === 0 ? [] : [{ ...warning, notAccepted: own }];
  });
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
