import { Attempts, type HttpRequest, type HttpResponse } from "../http/request";
import { basedOnRead, NotSent } from "../http/retry";
import { encodeSegment } from "../http/urls";
import type { Address } from "../language/object";
import { methodOf, type Needed, permissionsIn, type Route } from "../language/route";
import type { Connection } from "../language/service";
import type { RequestContext, StepName } from "../language/stepInput";
import { ownMember } from "../value/json";

/** The steps that change an object as they read it, or as the state records it. */
const AFTER_READS: ReadonlySet<string> = new Set<StepName>(["update", "delete"]);

/** The parts of a request that neither its route nor its address determines. */
type SendOptions = Pick<
  HttpRequest,
  "nature" | "body" | "sentBack" | "repeatWhile" | "isOfCopy" | "url" | "file" | "expect" | "timeoutMs"
> & {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends one of a definition's requests. */
export function send(
  context: RequestContext,
  route: Route,
  address: Address,
  options: SendOptions,
): Promise<HttpResponse> {
  const { connection, unsentAttempts } = context;
  const request = requestOf(context, route, address, options);
  return options.nature === "read" || unsentAttempts === undefined
    ? connection.send(request)
    : sendBasedOnRead(connection, unsentAttempts, request);
}

/** A definition's request for the object at an address. */
export function requestOf(
  { connection, label, redactor, deadline, grace, signal }: RequestContext,
  route: Route,
  address: Address,
  { query, headers, ...options }: SendOptions,
): HttpRequest {
  const allHeaders = { ...realmHeaders(connection, address), ...headers };
  return {
    label,
    secrets: redactor,
    method: route.method,
    path: filledPath(route.path, address, connection),
    query: { ...filledQuery(route.query ?? {}, address), ...query },
    ...(route.contentType && { contentType: route.contentType }),
    ...(options.nature !== "read" && AFTER_READS.has(label.step) && { followsRead: true }),
    ...(grace === undefined ? { deadline, ...(signal && { signal }) } : { grace }),
    ...(Object.keys(allHeaders).length > 0 && { headers: allHeaders }),
    ...(options.url !== undefined && { skipsToken: true }),
    ...options,
  };
}

/**
 * Sends a request of a write that is based on a read. If it is not sent, its attempts are kept until the caller has read again.
 */
async function sendBasedOnRead(
  connection: Connection,
  unsentAttempts: Map<string, Attempts>,
  request: HttpRequest,
): Promise<HttpResponse> {
  const key = `${request.method} ${request.path}`;
  const now = connection.runtime.now();
  const attempts = unsentAttempts.get(key) ?? new Attempts(now);
  unsentAttempts.delete(key);
  try {
    return await connection.send({ ...request, followsRead: true, ...basedOnRead(attempts, now) });
  } catch (error) {
    if (error instanceof NotSent) unsentAttempts.set(key, attempts);
    throw error;
  }
}

/** The headers that send a request to the realm of its object; undefined if the object is in the connection's own realm. */
export function realmHeaders(
  { service, settings, dialect }: Connection,
  address: Address,
): Record<string, string> | undefined {
  const { realm } = service;
  if (realm === undefined || address[realm.part] === undefined) return undefined;
  const [role, value] = realm.header(settings, address);
  const name = dialect.headers[role];
  return name === undefined || value === undefined ? undefined : { [name]: value };
}

/**
 * A route's path with its placeholders filled and each segment encoded; `{+mount}` may contain several segments. A dialect
 * renames only the template's own segments: the values of placeholders are sent unchanged.
 */
export function filledPath(template: string, address: Address, { dialect }: Connection): string {
  const { segments = {} } = dialect;
  return template
    .split("/")
    .map((segment) => ownMember(segments, segment) ?? segment)
    .join("/")
    .replace(/\{(\+?)(\w+)\}/g, (_, several: string, name: string) => {
      const value = address[name] ?? "";
      return several === "+" ? value.split("/").map(encodeSegment).join("/") : encodeSegment(value);
    });
}

/** A route's query with its placeholders filled. Unset parameters are not sent. */
export function filledQuery(
  query: Readonly<Record<string, string>>,
  address: Address,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(query)) {
    const placeholder = /^\{(\w+)\}$/.exec(template)?.[1];
    const value = placeholder === undefined ? template : address[placeholder];
    if (value !== undefined && value !== "") filled[name] = value;
  }
  return filled;
}

/** The parts of a request that determine its permissions. */
export type RoutePermissions = Pick<Route, "method" | "path" | "query" | "permissionsAt">;

/**
 * The permissions that the connection's token needs for a request, and the path that determines them. The permissions are empty if no
 * row of the service's table covers the request.
 */
export function permissionsFor(
  connection: Connection,
  route: RoutePermissions,
  address: Address,
): { readonly path: string; readonly permissions: readonly Needed[] } {
  const path = filledPath(route.permissionsAt ?? route.path, address, connection);
  return {
    path,
    permissions: permissionsIn(connection.service.permissions, methodOf(route), path, address) ?? [],
  };
}
