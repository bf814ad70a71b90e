import { withoutTrailing } from "../value/scalar";
import { ActionableError, editProgram, restoreState } from "./remedies";
import type { HttpRequest, HttpResponse } from "./request";

/** The location of a server: its origin, and the path under which it is mounted. */
export interface BaseUrl {
  readonly url: URL;
  readonly basePath: string;
  /** `Basic …` from the address's userinfo. */
  readonly authorization: string | undefined;
}

/**
 * Parses an address from the configuration.
 * @throws TypeError that names the problem without quoting the address, which may contain a password.
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text))
    throw new TypeError(text === "" ? "the address is empty" : "the address is not a URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError("the address must start with http:// or https://");
  }
  if (url.search !== "" || url.hash !== "") throw new TypeError("the address has a query or a fragment");
  const userinfo = `${decodeUserinfo(url.username)}:${decodeUserinfo(url.password)}`;
  return {
    url,
    basePath: withoutTrailing(url.pathname, "/"),
    authorization: userinfo === ":" ? undefined : `Basic ${Buffer.from(userinfo).toString("base64")}`,
  };
}

/** The secrets in an address: its password, as written and percent-decoded. */
export function urlSecrets(text: string | undefined): string[] {
  const address = text !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text ?? ""}`;
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return password === "" ? [] : [password, decodeUserinfo(password)];
}

/** The secrets in headers: the complete values, and the parts after a scheme such as Bearer. */
export function secretsInHeaders(headers: Readonly<Record<string, string | string[]>>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    !SECRET_HEADER.test(name)
      ? []
      : [values].flat().flatMap((value) => {
          const credentials = /^[A-Za-z][\w-]*\s(.*)$/s.exec(value)?.[1]?.trim();
          return credentials ? [value, credentials] : [value];
        }),
  );
}

const SECRET_HEADER = /auth|token|cookie|secret|password|passwd|credential|api-?key|session/i;

/** True if a URL's host is this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** The origin of an address; undefined if it is not a valid address. */
export function originOf(address: string): string | undefined {
  try {
    return parseBaseUrl(address).url.origin;
  } catch {
    return undefined;
  }
}

function decodeUserinfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name that cannot be a path segment. */
export class InvalidSegment extends ActionableError {
  override readonly name = "InvalidSegment";
}

/**
 * Encodes a name for a path, so that no name can change the route.
 * @throws {@link InvalidSegment} for a name that cannot be a segment ({@link whyNoSegment}).
 */
export function encodeSegment(segment: string): string {
  const why = whyNoSegment(segment);
  if (why !== undefined)
    throw new InvalidSegment(`the name ${JSON.stringify(segment)} ${why}.`, [
      editProgram("correct the name in the program"),
      restoreState("if no program contains the name, "),
    ]);
  return encodeURIComponent(segment);
}

/**
 * Why a name cannot be a path segment, as "what it must not be, and why"; undefined if it can. Clients and servers drop "",
 * "." and ".." from a path in any encoding.
 */
function whyNoSegment(name: string): string | undefined {
  if (name === "") return "must not be empty, because it is part of a request path";
  if (!name.isWellFormed()) return "must not contain half of a surrogate pair";
  return isDots(name)
    ? `must not be ${JSON.stringify(name)}: servers remove this name from a path`
    : undefined;
}

/**
 * The same for names that users write, for objects to create or to look up. Servers clean a path after they decode it, so
 * that encoded slashes count too. They also reject a path with unprintable characters.
 */
export function whyNoName(name: string): string | undefined {
  const parts = name.split("/");
  const [unprintable] = UNPRINTABLE.exec(name) ?? [];
  const why = whyNoSegment(name);
  if (why !== undefined) return why;
  if (parts.some(isDots))
    return 'must not contain "." or ".." between slashes: servers remove "." and ".." from a path';
  if (parts.slice(0, -1).includes(""))
    return "must not start with a slash or contain two slashes in a row: servers remove these slashes from a path";
  return unprintable === undefined
    ? undefined
    : `must not contain ${codePoint(unprintable)}, which is not printable: servers reject this character in a path`;
}

function isDots(part: string): boolean {
  return part === "." || part === "..";
}

/** Everything except letters, marks, numbers, punctuation, symbols and the plain space. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** `U+200B`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Returns a path without a change. The caller built the path from encoded segments.
 * @throws TypeError for a path that would reach a different route
 */
export function checkedPath(path: string): string {
  const isFine = /^\/[^?#\s]*$/.test(path) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path);
  if (!isFine)
    throw new TypeError(
      `the request to ${JSON.stringify(path)} was not sent: a request path must start with a slash, and must not contain "?", "#", white space, or a segment "." or ".."`,
    );
  return path;
}

/** The query of a request, as sent: `?name=value`. */
export function queryText(
  query: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const pairs = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** The maximum number of redirects of one request. */
export const MOST_REDIRECTS = 5;

/** The destination of a request. The connection uses the URL's origin; the request line contains `target`. */
export interface Destination {
  readonly url: URL;
  readonly target: string;
  readonly method: HttpRequest["method"];
}

/**
 * The destination of a redirect, or undefined if it is not followed. Quarterdeck never follows a redirect to another origin,
 * because that origin is unknown. Reads without a body (except POST) follow all other redirects; other requests follow only
 * 307 and 308, which repeat the request unchanged.
 */
export function redirectOf(
  from: Destination,
  request: HttpRequest,
  { status, headers: { location } }: Pick<HttpResponse, "status" | "headers">,
): Destination | undefined {
  if (location === undefined || !URL.canParse(location, from.url.href)) return undefined;
  const url = new URL(location, from.url);
  const isFree = request.nature === "read" && request.body === undefined && request.method !== "POST";
  const isFollowed = status === 307 || status === 308 || (isFree && [301, 302, 303].includes(status));
  if (url.origin !== from.url.origin || !isFollowed) return undefined;
  return { url, target: url.pathname + url.search, method: status === 303 ? "GET" : from.method };
}
