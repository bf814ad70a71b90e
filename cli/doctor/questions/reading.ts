import type { HttpResponse } from "../../../provider/core/http/request";
import { isObject, type Json, listOf } from "../../../provider/core/value/json";
import { type Found, fail, ok, skip, warn } from "../report";
import type { Circumstances, Question } from "./question";

export const members = (value: Json | undefined): { readonly [name: string]: Json } =>
  isObject(value) ? value : {};
export const namesInList = (value: Json | undefined): string[] =>
  listOf(value).flatMap((each) => (isObject(each) ? [String(each.Name ?? each.ID)] : []));
export const hasHeader = (name: string) => (answer: HttpResponse) => answer.headers[name] !== undefined;
export const hasHeaderOf = (prefix: string) => (answer: HttpResponse) =>
  Object.keys(answer.headers).some((name) => name.startsWith(prefix));

/** A token that expires within this time causes a warning, in milliseconds. */
const SOON_MS = 3_600_000;

/** A token that the server knows, and when it expires. */
export function validToken(message: string, end: unknown, now: number): Found {
  const ends = typeof end === "string" ? Date.parse(end) : Number.NaN;
  // A token without an expiry has a zero time.
  if (Number.isNaN(ends) || ends <= 0) return ok(message);
  const text = `${message}; expires ${new Date(ends).toISOString()}`;
  return ends - now < SOON_MS
    ? warn(text, "Renew the token, or create a new token, before a long update.")
    : ok(text);
}

/** The token is set and refused, or not set and required. */
export function rejectedToken(
  answer: HttpResponse,
  { hasToken, setToken }: Circumstances,
  advice = "Set a token that this server knows.",
): Found {
  return hasToken ? fail(`refused: ${wordsOf(answer)}`, setToken, advice) : missing(setToken);
}

/** No token is set, and the server requires one. */
export const missing = (setToken: string): Found =>
  fail("no token is set, and the server requires a token", setToken);

/** No token is set, and the server lets anonymous requests read. */
const anonymous = (setToken: string): Found =>
  warn(
    "no token is set: requests are anonymous, and may lack the permission to write",
    `To set a token: ${setToken}`,
  );

/** The status and the text of a response, cut to one line. */
export const wordsOf = ({ status, text, mask = (words) => words }: HttpResponse): string =>
  `${status} ${mask(text.replaceAll(/\s+/g, " ").trim()).slice(0, 200)}`.trim();

/** True if a server does not have the endpoint. */
export const isNotOffered = ({ status, text }: HttpResponse): boolean =>
  status === 405 || status === 501 || (status === 404 && !/\bnot allowed\b|permission/i.test(text));

/** The server has no endpoint for its own token; the list shows whether the token is refused. */
export const NO_LOOKUP = skip("this server has no token lookup, so the token was not checked");

const isOff = ({ status, text }: HttpResponse) => status >= 400 && /ACL support disabled/i.test(text);
const OFF = ok("access control is off: no token is needed");

/** Looks up the token itself, for Nomad and Consul. */
export function ownToken(
  path: string,
  describes: (token: { readonly [name: string]: Json }) => string,
  isAnonymous: (token: { readonly [name: string]: Json }) => boolean,
  advice: (answer: HttpResponse) => string | undefined = () => undefined,
): Question {
  return {
    what: "token",
    request: { method: "GET", path },
    reads: (answer, circumstances) => {
      if (isOff(answer)) return OFF;
      if (isNotOffered(answer)) return NO_LOOKUP;
      if (answer.status !== 200) return rejectedToken(answer, circumstances, advice(answer));
      const token = members(answer.json);
      if (!circumstances.hasToken && isAnonymous(token))
        return (circumstances.isListShown ? anonymous : missing)(circumstances.setToken);
      return validToken(describes(token), token.ExpirationTime, circumstances.now);
    },
  };
}

/** Reads the version from an agent; this requires a permission. */
export function version(
  path: string,
  called: string,
  reads: (answer: Json | undefined) => Json | undefined,
): Question {
  return {
    what: "version",
    request: { method: "GET", path },
    reads: (answer) => {
      const { status, json } = answer;
      const found = reads(json);
      if (status === 200 && typeof found === "string") return ok(`${called} ${found}`);
      if (status === 200) return skip("the server's response contains no version");
      if (isNotOffered(answer)) return skip("the server has no endpoint for its version");
      return skip(`the version could not be read (${status})`);
    },
  };
}

export const policies = (names: readonly string[]) =>
  names.length === 0 ? "no policies" : `policies ${names.join(", ")}`;
