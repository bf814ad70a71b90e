import { path as encodePath, type HttpAnswer, type HttpRequest } from "../http/request";
import type { Address } from "../language/object";
import { methodOf, type Needed, type Route, rightsIn } from "../language/route";
import type { Connection } from "../language/service";
import type { RequestContext, StepName } from "../language/stepInput";
import { type Json, ownMember } from "../value/json";

/** The steps that change what is there, as it was when they looked, or as the state has it. */
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

/** What a request carries that changes what was just looked at, or that the state knows. */
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

/** The headers by which a request goes to the realm of its object; none where that is the connection's own. */
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
 * A route's path with its placeholders filled, each segment encoded; `{+mount}` may hold several segments. Only the template's
 * own segments have other names in a dialect: what fills a placeholder is sent as it is.
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

/** A route's query with its placeholders filled; what is unset is not sent. */
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

/** A request by what its rights are known by. */
export type AskedFor = Pick<Route, "method" | "path" | "query" | "rightsAt">;

/** What the token of a connection needs for a request, and the path by which that is known; nothing where no row says it. */
export function neededFor(
  connection: Connection,
  route: AskedFor,
  address: Address,
): { readonly path: string; readonly rights: readonly Needed[] } {
  const path = filledPath(route.rightsAt ?? route.path, address, connection);
  return { path, rights: rightsIn(connection.service.rights, methodOf(route), path, address) ?? [] };
}

/** Milliseconds that a look after an unclear write has from when it is let through, whatever ended the write. */
export const GRACE_MS = 20_000;

/**
 * The context of a look after a write: neither the end of the operation's time nor a cancel ends it. Only reads are sent
 * with it.
 */
export function lookContext<C extends RequestContext>(context: C): C {
  const { signal: _, ...own } = context;
  // The same context but for the signal, which would end it.
  return { ...own, grace: GRACE_MS } as C;
}

/** How long the requests of a caller may go on. */
export function timeLimitsOf({ deadline, grace, signal }: RequestContext) {
  return grace === undefined ? { deadline, ...(signal && { signal }) } : { grace };
}
