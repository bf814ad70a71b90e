import { STATUS_CODES } from "node:http";
import { Redactor, type SecretSupplier } from "../../../packages/redact";
import {
  type AttemptFacts,
  type ErrorKind,
  oneLine,
  type RequestOutcome,
  type ServiceError,
  serviceError,
} from "./errors";
import { type HttpRequest, type HttpResponse, isSuccess, maskText, type Nature } from "./request";

/** How to read the errors in a service's responses. */
export interface AnswerFormat {
  readonly service: string;
  /** The service's own message in an error response. */
  readonly words: (answer: HttpResponse) => string;
  /** The meaning of a response if its status does not determine it. */
  readonly errorKind?: ((answer: HttpResponse) => ErrorKind | undefined) | undefined;
  /** True if a 404 may also mean that the token lacks permission to read. */
  readonly hides?: boolean | undefined;
  /** The permission that this request needs, worded to follow "The token needs"; empty if unknown. */
  readonly needs?: string | undefined;
  /** True if a response has the format of all the service's errors. Then its message explains the error. */
  readonly isOwnError?: ((answer: HttpResponse) => boolean) | undefined;
  /** True if the service's own error proves that the request was not applied. */
  readonly isOwnRefusal?: ((answer: HttpResponse) => boolean) | undefined;
  /** Advice that is more specific than the advice for the error's kind. */
  readonly advice?: ((answer: HttpResponse) => string | undefined) | undefined;
  /** Where the token comes from, or that none is set, and how to set it; for a rejected token. */
  readonly tokenAdvice?: TokenAdvice | undefined;
  /** For a success that is not what the endpoint returns: what it is instead, and what is known of the effect. */
  readonly unexpected?: { readonly event: string; readonly outcome: RequestOutcome } | undefined;
}

/** Advice about the token of a connection. */
export interface TokenAdvice {
  readonly isSet: boolean;
  /** Complete sentences. */
  readonly text: string;
}

/** Turns a failed response into a typed error. */
export function serviceErrorFrom(
  { method, path, nature, secrets }: Pick<HttpRequest, "method" | "path" | "nature" | "secrets">,
  answer: HttpResponse,
  format: AnswerFormat,
): ServiceError {
  const { status, attempts, ids } = answer;
  const { service, unexpected } = format;
  const kind = format.errorKind?.(answer) ?? kindOfStatus(status);
  return serviceError(unexpected ? "unexpectedAnswer" : kind, {
    service,
    method,
    path: maskText(answer, path),
    status,
    event: unexpected ? `returned ${status} ${unexpected.event}` : `returned ${status}`,
    words: unexpected ? "" : describeWords(answer, format.words, secrets),
    advice: isHtml(answer) ? OTHER_PRODUCT : adviceFor(kind, answer, method, format),
    attempts,
    ids,
    outcome:
      unexpected?.outcome ?? (kind === "serviceFailed" ? outcomeOf(nature, answer, format) : "notApplied"),
  });
}

/**
 * The gateway had no server to forward the request to (RFC 9110, 15.6.4). As after a broken connection, nothing is in flight
 * as far as the gateway knows. That is enough for requests that may be sent twice.
 */
const UNAVAILABLE = 503;

/**
 * What a 5xx response leaves open. After one of the service's own errors, a probe reads the object if possible. Any other
 * 5xx may come from a gateway, and the server behind it may still apply the request.
 */
function outcomeOf(nature: Nature, answer: HttpResponse, { isOwnRefusal }: AnswerFormat): RequestOutcome {
  if (nature === "read") return "notApplied";
  if (isOwnRefusal?.(answer)) return "serverError";
  return answer.status === UNAVAILABLE && nature !== "single-use" ? "unknown" : "inFlight";
}

/** The error kind of a status alone. */
export function kindOfStatus(status: number): ErrorKind {
  if (isSuccess({ status })) return "unexpectedAnswer";
  if (status === 400 || status === 422) return "invalid";
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 429) return "rateLimited";
  return status >= 500 ? "serviceFailed" : "refused";
}

/** The next step. If the error concerns the token, also the missing permission and how to replace the token. */
function adviceFor(kind: ErrorKind, answer: HttpResponse, method: string, format: AnswerFormat): string {
  const { advice, needs, hides, tokenAdvice } = format;
  const mayLackRight = kind === "forbidden" || (kind === "notFound" && hides === true);
  const isOfToken = kind === "unauthenticated" || kind === "forbidden";
  if (isOfToken && tokenAdvice?.isSet === false) return tokenAdvice.text;
  const main = advice?.(answer) ?? adviceByKind(kind, answer, method, format);
  const right = mayLackRight && needs ? `The token needs ${needs}.` : "";
  return [main, right, isOfToken ? tokenAdvice?.text : ""].filter(Boolean).join(" ");
}

function adviceByKind(
  kind: ErrorKind,
  answer: HttpResponse,
  method: string,
  { isOwnError }: AnswerFormat,
): string {
  if (kind === "refused") return adviceForRefusal(answer);
  if (kind === "notFound" && NO_SUCH_ENDPOINT.test(answer.text.slice(0, 2_000))) return NOT_OFFERED;
  if (kind === "serviceFailed" && isOwnError?.(answer)) return "";
  // A GET has no values to correct.
  return kind === "invalid" && method === "GET" ? "" : (ADVICE[kind] ?? "");
}

function adviceForRefusal(answer: HttpResponse): string {
  const { status, headers } = answer;
  if (status === 407)
    return "A proxy requires credentials: add the credentials to HTTPS_PROXY or HTTP_PROXY.";
  if (status === 405) return NOT_OFFERED;
  return status >= 300 && status < 400 && headers.location !== undefined
    ? `The server redirects to ${maskText(answer, headers.location)}. Quarterdeck does not follow redirects: if that address belongs to the server, set the connection's address to it.`
    : "";
}

/** The words of a server that does not know the path at all, as opposed to a missing object. */
const NO_SUCH_ENDPOINT = /^404 page not found\s*$|invalid url path|unsupported path/i;

/** No supported API returns HTML. */
const OTHER_PRODUCT =
  "The response is a web page: check that the address belongs to the API, and not to a console, " +
  "a proxy or a login page.";
const NOT_OFFERED =
  "This server does not support the request: check the server's version, and that the address belongs to the API.";
const CHECK =
  "Check that the address belongs to the server, and check proxies and load balancers on the way.";
const ADVICE: Partial<Record<ErrorKind, string>> = {
  unauthenticated: "The token is missing, wrong or expired: check the connection's token.",
  forbidden: "The token lacks the permission: check the token, its policies and the namespace.",
  notFound: "Check the name, the namespace and the address.",
  invalid: "Correct the values as the server's message says.",
  checkAndSetLost: "Someone else changed the object since it was last read.",
  rateLimited: "Wait, or send fewer requests at a time: pulumi up --parallel 4.",
  serviceFailed:
    "The response contains no reason. If it came from a gateway, check that the server behind it runs; otherwise see the server's log.",
  unexpectedAnswer: "Check that the address belongs to the server.",
};

/** Explains a success that cannot come from the service; undefined if the response is as expected. */
export function describeUnexpected(
  answer: HttpResponse,
  { expect = "json", nature }: HttpRequest,
): AttemptFacts | undefined {
  const { status, text, json, ids } = answer;
  if (!isSuccess(answer) || expect !== "json" || json !== undefined) return undefined;
  const facts = { status, ids, outcome: nature === "read" ? "notApplied" : "unknown" } as const;
  const event = `returned ${status}`;
  if (isHtml(answer))
    return { ...facts, event, words: describeWords(answer, () => ""), advice: OTHER_PRODUCT };
  if (text.trim() !== "")
    return { ...facts, event: `${event} with invalid or truncated JSON`, advice: CHECK };
  // A write may return nothing. A read always returns something, so an intermediary has dropped it.
  const isEmpty = nature === "read" && status !== 204;
  return isEmpty ? { ...facts, event: `${event} with an empty body`, advice: CHECK } : undefined;
}

/** The part of a response that an error may quote: the server's message, or the title of an unexpected web page. */
export function describeWords(
  answer: HttpResponse,
  words: (answer: HttpResponse) => string,
  secrets: SecretSupplier = [],
): string {
  const own = isHtml(answer) ? `a web page${pageTitle(answer.text)}` : words(answer);
  return oneLine(new Redactor(secrets).mask(maskText(answer, own)));
}

/** True if a response is a web page, from another product or from a proxy. */
export function isHtml({ headers, text }: Pick<HttpResponse, "headers" | "text">): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype html|html)\b/i.test(text.slice(0, 200))
  );
}

function pageTitle(text: string): string {
  const head = text.slice(0, 20_000);
  const tag = head.search(/<title/i);
  const start = tag < 0 ? 0 : head.indexOf(">", tag) + 1;
  const title = start === 0 ? "" : (head.slice(start).split("<", 1)[0] ?? "").trim();
  return title ? ` with the title ${JSON.stringify(title)}` : "";
}

/**
 * True if a response is a plain-text error in the service's own words, for services that report errors as plain text.
 * Gateways also send plain text, but it adds nothing to their status.
 */
export function isPlainTextError({ status, headers, text }: HttpResponse): boolean {
  const words = text.trim();
  const isPlain =
    /^text\/plain\b/i.test(headers["content-type"] ?? "text/plain") && !isHtml({ headers, text });
  return isPlain && words !== "" && words !== STATUS_CODES[status] && ![502, 503, 504].includes(status);
}
