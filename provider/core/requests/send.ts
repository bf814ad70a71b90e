import { path as encodePath, type HttpAnswer, type HttpRequest } from "../http/request";
import type { Address } from "../language/object";
import { methodOf, type Needed, type Route, rightsIn } from "../language/route";
import type { Connection } from "../language/service";
import type { RequestContext, StepName } from "../language/stepInput";
import { type Json, ownMember } from "../value/json";

/** The steps that change an object as they read it, or as the state records it. */
const AFTER_LOOKS: ReadonlySet<string> = new Set<StepName>(["update", "delete"]);

/** Sends one of a definition's requests. */
export function send(
  context: RequestContext,
  route: Route,
  address: Address,
  options: {
    nature: HttpRequest["nature"];
    query?: Readonly<Record<string, string | undefined>>;
    headers?: Readonly<Record<string, string>>;
    body?: Json;
    sentBack?: readonly string[];
    repeatWhile?: HttpRequest["repeatWhile"];
    isOfCopy?: boolean;
  },
): Promise<HttpAnswer> {
  const { connection } = context;
  const { repeatWhile, isOfCopy, sentBack } = options;
  const headers = { ...realmHeaders(connection, address), ...options.headers };
  const isRead = options.nature === "read";
  return connection.send({
    label: context.label,
    secrets: context.redactor,
    method: route.method,
    path: filledPath(route.path, address, connection),
    query: { ...filledQuery(route.query ?? {}, address), ...options.query },
    nature: options.nature,
    ...(!isRead && afterLook(context)),
    ...timeLimitsOf(context),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(options.body !== undefined && { body: options.body }),
    ...(sentBack && sentBack.length > 0 && { sentBack }),
    ...(repeatWhile && { repeatWhile }),
    ...(isOfCopy && { isOfCopy }),
  });
}

/** The options of a request that changes an object which was just read or which the state records. */
function afterLook({
  label,
  connection: { runtime },
  beforeAgain,
}: RequestContext): Pick<HttpRequest, "isAfterLook" | "beforeAgain" | "lookedAt"> {
  if (beforeAgain === undefined) return AFTER_LOOKS.has(label.step) ? { isAfterLook: true } : {};
  let at = runtime.now();
  return {
    isAfterLook: true,
    lookedAt: () => at,
    async beforeAgain() {
      await beforeAgain();
      at = runtime.now();
    },
  };
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
      const encode = (segment: string) => encodePath`${segment}`;
      return several === "+" ? value.split("/").map(encode).join("/") : encode(value);
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

/** The parts of a request that determine its rights. */
export type AskedFor = Pick<Route, "method" | "path" | "query" | "rightsAt">;

/**
 * The rights that the connection's token needs for a request, and the path that determines them. The rights are empty if no
 * row of the service's table covers the request.
 */
export function neededFor(
  connection: Connection,
  route: AskedFor,
  address: Address,
): { readonly path: string; readonly rights: readonly Needed[] } {
  const path = filledPath(route.rightsAt ?? route.path, address, connection);
  return { path, rights: rightsIn(connection.service.rights, methodOf(route), path, address) ?? [] };
}

/**
 * The time for a probe after a write with an unknown outcome, in milliseconds. It starts when the client lets the probe
 * through, no matter why the write ended.
 */
export const GRACE_MS = 20_000;

/** The context of a probe after a write. Neither the operation's deadline nor a cancel ends it. It sends reads only. */
export function lookContext<C extends RequestContext>(context: C): C {
  const { signal: _, ...own } = context;
  // The same context without its signal, which would abort the probe.
  return { ...own, grace: GRACE_MS } as C;
}

/** The time limits for the requests of a caller. */
export function timeLimitsOf({ deadline, grace, signal }: RequestContext) {
  return grace === undefined ? { deadline, ...(signal && { signal }) } : { grace };
}
