import { serverError } from "../errors";
import { always, list, map } from "../shape/field";
import { flag, text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";

/** Changes to a request's or response's headers. */
const MODIFIERS = { Add: map(text), Set: map(text), Remove: list(text) };

export const modifiers = struct(MODIFIERS);

export const MODIFIED = { RequestHeaders: modifiers, ResponseHeaders: modifiers };

export function isEmpty(headers: Body<typeof MODIFIERS> | undefined): boolean {
  return headers === undefined || Object.keys(headers).length === 0;
}

const ROUTE_HEADER_MATCH = {
  Name: always(text),
  Present: flag,
  Exact: text,
  Prefix: text,
  Suffix: text,
  Regex: text,
  Invert: flag,
};

/** How a route matches a header. */
export const routeHeaderMatch = struct(ROUTE_HEADER_MATCH);

const HEADER_MATCH = { ...ROUTE_HEADER_MATCH, Contains: text, IgnoreCase: flag };

/** How an intention matches a header: it has two more members than a route's match. */
export const headerMatch = struct(HEADER_MATCH);

/** A path match: at most one of the three members. */
export const PATH_MATCH = { PathExact: text, PathPrefix: text, PathRegex: text };

/** Returns how many of the three members are set; throws if more than one is, or if a path does not start with a slash. */
export function validatePath(match: Body<typeof PATH_MATCH>, at: string, joint: string): number {
  for (const field of ["PathExact", "PathPrefix"] as const) {
    const path = match[field];
    if (path !== undefined && !path.startsWith("/")) {
      throw serverError(`${at}${joint}${field} doesn't start with '/': ${JSON.stringify(path)}`);
    }
  }
  const count = [match.PathExact, match.PathPrefix, match.PathRegex].filter((path) => path !== undefined);
  if (count.length > 1) {
    throw serverError(`${at} should only contain at most one of PathExact, PathPrefix, or PathRegex`);
  }
  return count.length;
}

export function validateHeader(header: Body<typeof HEADER_MATCH>, at: string): void {
  const ways = ["Present", "Exact", "Prefix", "Suffix", "Contains", "Regex"] as const;
  validateWays(header, ways, at);
}

export function validateRouteHeader(header: Body<typeof ROUTE_HEADER_MATCH>, at: string): void {
  validateWays(header, ["Present", "Exact", "Prefix", "Suffix", "Regex"], at);
}

function validateWays<Way extends string>(
  header: { readonly Name?: unknown } & { readonly [way in Way]?: unknown },
  ways: readonly Way[],
  at: string,
): void {
  if (header.Name === undefined) throw serverError(`${at} missing required Name field`);
  if (ways.filter((way) => header[way] !== undefined).length !== 1) {
    const listed = `${ways.slice(0, -1).join(", ")}, or ${ways.at(-1)}`;
    throw serverError(`${at} should only contain one of ${listed}`);
  }
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"]);

export function isMethod(method: string): boolean {
  return METHODS.has(method);
}

/** Throws for an invalid HTTP method and for a repeated one. */
export function validateMethods(methods: readonly string[] | undefined, at: string): void {
  const found = new Set<string>();
  for (const method of methods ?? []) {
    const quoted = JSON.stringify(method);
    if (!isMethod(method)) throw serverError(`${at} contains an invalid method ${quoted}`);
    if (found.has(method)) throw serverError(`${at} contains ${quoted} more than once`);
    found.add(method);
  }
}

/** "HTTP methods upper-cased". */
export function withUpperMethods<Match extends { readonly Methods?: readonly string[] }>(
  match: Match,
): Match {
  return match.Methods === undefined
    ? match
    : { ...match, Methods: match.Methods.map((method) => method.toUpperCase()) };
}

const HTTP_LIKE = new Set(["http", "http2", "grpc"]);

/** True if the protocol has separate requests. */
export function isHttpLike(protocol: string): boolean {
  return HTTP_LIKE.has(protocol);
}
