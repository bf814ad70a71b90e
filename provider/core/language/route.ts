import { type HttpRequest, type HttpResponse, isSuccess } from "../http/request";
import { isObject, type Json, ownMember } from "../value/json";
import type { Address, Values } from "./object";

/**
 * The documented response to a successful write: nothing (204), the start of an action (202), nothing but the header with the
 * index of the write, the value `true`, or these members in the response or its `data`, including the object's identity. Only
 * such a response proves success. After any other 2xx, Quarterdeck reads the object, so a server with slightly different
 * responses costs one read.
 */
export type ExpectedResponse = "nothing" | "accepted" | "index" | "true" | readonly [string, ...string[]];

/** The names of a server's headers, by their role. */
type HeaderNames = Readonly<Record<string, string>>;

/**
 * True if a response matches the endpoint's documentation.
 * @param names the names of the server's headers, by their role
 */
export function isExpectedResponse(
  expected: ExpectedResponse,
  response: HttpResponse,
  names: HeaderNames = {},
): boolean {
  const { status, text, json } = response;
  if (!isSuccess(response)) return false;
  if (expected === "nothing") return status === 204 && text.trim() === "";
  if (expected === "accepted") return status === 202;
  if (expected === "index") return text.trim() === "" && /^[1-9]\d*$/.test(indexIn(response, names));
  if (expected === "true") return json === true;
  const parts = isObject(json) ? [json, json.data] : [];
  return expected.every((name) => parts.some((part) => holds(part, name)));
}

/** The index in a response's header; empty if the response has none. */
function indexIn({ headers }: HttpResponse, { index = "" }: HeaderNames): string {
  return headers[index.toLowerCase()] ?? "";
}

function holds(value: Json | undefined, name: string): boolean {
  const member = isObject(value) ? ownMember(value, name) : undefined;
  return member !== undefined && member !== null && member !== "";
}

/** One request of a definition. A part of the object's address replaces `{name}`, encoded; `{+name}` keeps its slashes. */
export interface Route {
  readonly method: HttpRequest["method"];
  readonly path: string;
  /** Query parameters. Quarterdeck does not send a parameter whose placeholder is unset. */
  readonly query?: Readonly<Record<string, string>>;
  /** The path for looking up the required permissions, if the request's own path does not name the object. */
  readonly permissionsAt?: string;
  /** The content type of the body. Default: the service's. */
  readonly contentType?: string;
  /** The documented response to a successful write. Default: the service's rule for the method. */
  readonly expects?: ExpectedResponse;
  /** Further parts of the body or the query that control this one request, derived from the inputs. */
  readonly steer?: (inputs: Values) => {
    readonly body?: Readonly<Record<string, Json>>;
    readonly query?: Readonly<Record<string, string>>;
  };
}

/** The members of a route other than its method and path. */
type More = Omit<Route, "method" | "path">;

export const get = (path: string, more: More = {}): Route => ({ method: "GET", path, ...more });
export const post = (path: string, more: More = {}): Route => ({ method: "POST", path, ...more });
export const put = (path: string, more: More = {}): Route => ({ method: "PUT", path, ...more });
export const patch = (path: string, more: More = {}): Route => ({ method: "PATCH", path, ...more });
export const del = (path: string, more: More = {}): Route => ({ method: "DELETE", path, ...more });

/** The prefixes of a service's paths. */
interface Prefixes {
  readonly prefix: string;
  readonly otherPrefixes?: readonly string[];
}

/** The complete path of a route: it starts with the service's prefix, or with one of its further prefixes. */
export function completePath({ prefix, otherPrefixes = [] }: Prefixes, path: string): string {
  return otherPrefixes.some((other) => path.startsWith(other)) ? path : prefix + path;
}

/** The path of a route, as the definition contains it; undefined if the complete path is not one of the service's. */
export function routePath({ prefix, otherPrefixes = [] }: Prefixes, complete: string): string | undefined {
  if (complete.startsWith(prefix)) return complete.slice(prefix.length);
  return otherPrefixes.some((other) => complete.startsWith(other)) ? complete : undefined;
}

/** The address parts that a path requires. */
export function partsInPath({ path }: Pick<Route, "path">): string[] {
  return [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = ""]) => name);
}

/** A permission that a token needs for a request. */
export interface Needed {
  /** Permissions as the product names them. Any one is enough. */
  readonly anyOf: readonly [string, ...string[]];
  /** The permission's target, in words: `the workspace ws-1`. */
  readonly on: string;
  /** The condition of the permission, if it is not always needed: `when policyOverride is set`. */
  readonly when?: string;
}

/** One row of a service's table of permissions. */
export interface PermissionsRow {
  /** `LIST` is a read that requests a list's keys, regardless of the method that the request uses. */
  readonly methods: readonly (Route["method"] | "LIST")[];
  /** The path after the service's prefix. `*` matches one segment, `**` matches the rest, and each captures its match. */
  readonly path: string;
  /** All required permissions. The match of the first star replaces `{1}`. Empty if the request requires none. */
  readonly needs: readonly Needed[];
}

/** The method for looking up a route's permissions. */
export function methodOf({
  method,
  query,
}: Pick<Route, "method" | "query">): PermissionsRow["methods"][number] {
  return method === "GET" && query?.list === "true" ? "LIST" : method;
}

/**
 * The permissions that a request requires, from the first matching row; undefined if no row matches.
 * @param path the path with its parts filled in, or with names instead of the program's values
 */
export function permissionsIn(
  rows: readonly PermissionsRow[],
  method: PermissionsRow["methods"][number],
  path: string,
  address: Address = {},
): readonly Needed[] | undefined {
  for (const { methods, path: pattern, needs } of rows) {
    if (!methods.includes(method)) continue;
    const stars = starsIn(pattern, path);
    if (stars === undefined) continue;
    return needs.map((needed) => ({ ...needed, on: fill(needed.on, stars, address) }));
  }
  return undefined;
}

/** The matches of a pattern's stars in a path; undefined if the path does not match. */
function starsIn(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  const stars: string[] = [];
  for (const [at, segment] of wanted.entries()) {
    if (segment === "**") return given.length < at ? undefined : [...stars, given.slice(at).join("/")];
    const own = given[at];
    if (own === undefined || (segment !== "*" && segment !== own)) return undefined;
    if (segment === "*") stars.push(own);
  }
  return wanted.length === given.length ? stars : undefined;
}

/** Fills in the matches of the stars, and the address parts that are known. `{ namespace?}` includes the space. */
function fill(words: string, stars: readonly string[], address: Address): string {
  return words
    .replace(/\{(\d)\}/g, (_, at: string) => stars[Number(at) - 1] ?? "")
    .replace(/\{( ?)(\w+)\?\}/g, (_, space: string, name: string) => {
      const part = address[name];
      return part === undefined ? "" : `${space}${JSON.stringify(part)}`;
    });
}

/** The permissions as the end of a sentence: `service:write on the service web; and …`. `code` formats a permission's name. */
export function needsText(
  needed: readonly Needed[],
  code: (right: string) => string = (right) => right,
): string {
  return needed
    .map(
      ({ anyOf, on, when }) =>
        `${anyOf.map(code).join(" or ")} on ${on}${when === undefined ? "" : `, ${when}`}`,
    )
    .join("; and ");
}
