import { type ErrorKind, type FailureFacts, type ServiceError, serviceError } from "./errors";
import type { HttpAnswer, HttpRequest } from "./request";
import { describeWords, isHtml } from "./words";

/** How to read the errors in a service's responses. */
export interface AnswerFormat {
  readonly service: string;
  /** The service's own message in an error response. */
  readonly words: (answer: HttpAnswer) => string;
  /** The meaning of a response if its status does not determine it. */
  readonly errorKind?: ((answer: HttpAnswer) => ErrorKind | undefined) | undefined;
  /** True if a 404 may also mean that the token lacks permission to read. */
  readonly hides?: boolean | undefined;
  /** The permission that this request needs, worded to follow "The token needs"; empty if unknown. */
  readonly needs?: string | undefined;
  /** True if a response has the format of all the service's errors. Then its message explains the error. */
  readonly isOwnError?: ((answer: HttpAnswer) => boolean) | undefined;
  /** True if the service's own error proves that the request was not applied. */
  readonly isOwnRefusal?: ((answer: HttpAnswer) => boolean) | undefined;
  /** Advice that is more specific than the advice for the error's kind. */
  readonly advice?: ((answer: HttpAnswer) => string | undefined) | undefined;
  /** Additional advice if the server rejects the token. */
  readonly renewsToken?: string | undefined;
}

/** Turns a failed response into a typed error. */
export function serviceErrorFrom(
  request: Pick<HttpRequest, "method" | "path" | "nature" | "secrets">,
  answer: HttpAnswer,
  reading: AnswerFormat,
): ServiceError {
  const kind = reading.errorKind?.(answer) ?? kindOfStatus(answer.status);
  const { words, html } = describeWords(answer, reading.words, request.secrets);
  return serviceError(kind, {
    service: reading.service,
    method: request.method,
    path: answer.mask?.(request.path) ?? request.path,
    status: answer.status,
    event: `answered ${answer.status}`,
    words,
    advice: html ? OTHER_PRODUCT : adviceFor(kind, answer, request.method, reading),
    attempts: answer.attempts,
    ids: answer.ids,
    ...clarityOf(request, answer, reading, kind),
  });
}

/** The error of a success that is not what the endpoint returns. Replaces an error that was created from the status alone. */
export function unexpectedAnswer(
  { service, method, path, status, advice, attempts, ids }: ServiceError,
  event: string,
  unclear = false,
): ServiceError {
  const ownStatus = status === undefined ? {} : { status };
  return serviceError("unexpectedAnswer", {
    service,
    method,
    path,
    ...ownStatus,
    event,
    advice,
    attempts,
    ids,
    unclear,
  });
}

/**
 * The gateway had no server to forward the request to (RFC 9110, 15.6.4). As after a broken connection, nothing is in flight
 * as far as the gateway knows. That is enough for requests that may be sent twice.
 */
const UNAVAILABLE = 503;

/**
 * What a 5xx response to a write leaves open. After one of the service's own errors, a probe reads the object if possible.
 * Any other 5xx may come from a gateway, and the server behind it may still apply the request.
 */
function clarityOf(
  { nature }: Pick<HttpRequest, "nature">,
  answer: HttpAnswer,
  format: AnswerFormat,
  kind: ErrorKind,
): Pick<FailureFacts, "unclear" | "mayStillHappen" | "isOwnRefusal"> {
  if (kind !== "serviceFailed" || nature === "read") return { unclear: false };
  const isOwnRefusal = format.isOwnRefusal?.(answer) === true;
  const isOnItsWay = answer.status !== UNAVAILABLE || nature === "single-use";
  return { unclear: true, isOwnRefusal, mayStillHappen: !isOwnRefusal && isOnItsWay };
}

/** What to check if HTML came back: no supported API returns HTML. */
const OTHER_PRODUCT =
  "That is a web page, not this service's answer: check that the address is the API's and not a console's, " +
  "a proxy's or a login page's.";

/** The error kind of a status alone. */
export function kindOfStatus(status: number): ErrorKind {
  if (status >= 200 && status < 300) return "unexpectedAnswer";
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "invalid";
  if (status === 429) return "rateLimited";
  return status >= 500 ? "serviceFailed" : "refused";
}

/** The next step. If the error concerns the token, also the missing permission and how to replace the token. */
function adviceFor(kind: ErrorKind, answer: HttpAnswer, method: string, reading: AnswerFormat): string {
  const advice = reading.advice?.(answer) ?? adviceByKind(kind, answer, method, reading);
  return [advice, neededRight(kind, reading), renewal(kind, reading)].filter((part) => part !== "").join(" ");
}

function adviceByKind(
  kind: ErrorKind,
  answer: HttpAnswer,
  method: string,
  { hides, isOwnError }: AnswerFormat,
): string {
  if (kind === "refused") return adviceForRefusal(answer);
  if (kind === "notFound" && hides === true) return `${ADVICE.notFound} ${HIDDEN}`;
  if (kind === "notFound" && saysNoSuchEndpoint(answer)) return NOT_OFFERED;
  if (kind === "serviceFailed" && isOwnError?.(answer) === true) return "";
  // A GET has no values to correct.
  if (kind === "invalid" && method === "GET") return "";
  return ADVICE[kind] ?? "";
}

/** The missing permission, if the service reports a missing permission or may hide the object because of it. */
function neededRight(kind: ErrorKind, { needs, hides }: AnswerFormat): string {
  const mayBeMissing = kind === "forbidden" || (kind === "notFound" && hides === true);
  return mayBeMissing && needs ? `The token needs ${needs}.` : "";
}

/** How to replace a rejected token. */
function renewal(kind: ErrorKind, { renewsToken = "" }: AnswerFormat): string {
  return kind === "unauthenticated" || kind === "forbidden" ? renewsToken : "";
}

function adviceForRefusal({ status, headers, mask = (text) => text }: HttpAnswer): string {
  if (status === 407) return "A proxy asks for credentials: put them into HTTPS_PROXY or HTTP_PROXY.";
  if (status === 405) return NOT_OFFERED;
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    return `It redirects to ${mask(location)}, which is not followed here: if that is the service, set the address to it.`;
  }
  return "";
}

const HIDDEN = "This service says the same where the token may not look: check its rights, too.";

const NOT_OFFERED =
  "This server does not offer that: check its version, and that the address is the API's own.";

/** True if the server does not know the path at all, as opposed to a missing object. */
function saysNoSuchEndpoint({ text }: HttpAnswer): boolean {
  return NO_SUCH_ENDPOINT.test(text.slice(0, LONGEST_REFUSAL));
}

const LONGEST_REFUSAL = 2_000;

const NO_SUCH_ENDPOINT = /^404 page not found\s*$|invalid url path|unsupported path/i;

const ADVICE: Partial<Record<ErrorKind, string>> = {
  unauthenticated: "The token is missing, wrong or expired: check the connection's token.",
  forbidden: "The service does not let this token do that: check the token, its policies and the namespace.",
  notFound: "Check the name, the namespace and the address.",
  invalid: "Correct the values as the service says.",
  checkAndSetLost: "Somebody else wrote it since it was last read.",
  rateLimited: "Wait, or send less at a time: pulumi up --parallel 4.",
  serviceFailed:
    "The answer does not say why. If a gateway answered, check that the server behind it runs; else see the server's log.",
  unexpectedAnswer: "Check that the address is the service's own.",
};

/** Explains a success that cannot come from the service; undefined if the response is as expected. */
export function unexpectedIn(
  answer: HttpAnswer,
  { expect = "json", nature }: HttpRequest,
): { readonly event: string; readonly words?: string; readonly advice: string } | undefined {
  const { status, text, json } = answer;
  if (status < 200 || status > 299 || expect === "text" || json !== undefined) return undefined;
  const event = `answered ${status}`;
  if (isHtml(answer)) return { event, words: describeWords(answer, () => "").words, advice: OTHER_PRODUCT };
  if (text.trim() !== "")
    return { event: `${event} with text that is no JSON, or a torn one`, advice: CHECK };
  // A write may return nothing. A read always returns something, so an intermediary has dropped it.
  return nature === "read" && status !== 204
    ? { event: `${event} with nothing in it`, advice: CHECK }
    : undefined;
}

const CHECK =
  "Check that the address is the service's own, and what stands between (a proxy, a load balancer).";
