import { type ErrorKind, type FailureFacts, type ServiceError, serviceError } from "./errors";
import type { HttpAnswer, HttpRequest } from "./request";
import { describeWords, isHtml } from "./words";

/** How the errors in a service's answers are read. */
export interface AnswerFormat {
  readonly service: string;
  /** The service's own words in an answer that is an error. */
  readonly words: (answer: HttpAnswer) => string;
  /** What an answer means, where its status does not say it. */
  readonly errorKind?: ((answer: HttpAnswer) => ErrorKind | undefined) | undefined;
  /** Whether a 404 may also say that the token has no right to look. */
  readonly hides?: boolean | undefined;
  /** What the token needs for this very request, as a sentence goes on with it; empty where nothing is known. */
  readonly needs?: string | undefined;
  /** Whether an answer is in the shape that the service gives to all of its errors: its words explain the error. */
  readonly isOwnError?: ((answer: HttpAnswer) => boolean) | undefined;
  /** Whether the service's own error proves that the request was not carried out. */
  readonly isOwnRefusal?: ((answer: HttpAnswer) => boolean) | undefined;
  /** What to do about it, where more can be said than by its kind. */
  readonly advice?: ((answer: HttpAnswer) => string | undefined) | undefined;
  /** What more is to be said where the token is refused. */
  readonly renewsToken?: string | undefined;
}

/** Turns an answer that is a failure into the error that names it. */
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

/** The error of a success that is not what the endpoint answers, in place of one that was made from its status alone. */
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
 * Nobody was there to hand the request to (RFC 9110, 15.6.4): as after a broken connection nothing of it is on its way, as far
 * as a gateway knows, which is enough for what may be sent twice.
 */
const UNAVAILABLE = 503;

/**
 * What a 5xx answer to a write leaves open. After an error of the service's own the write is looked at, where that is
 * possible. Any other 5xx may come from a gateway, behind which the request may still be carried out.
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

/** What to check where HTML came back: no control plane answers that. */
export const OTHER_PRODUCT =
  "That is a web page, not this service's answer: check that the address is the API's and not a console's, " +
  "a proxy's or a login page's.";

/** What a status says by itself. */
export function kindOfStatus(status: number): ErrorKind {
  if (status >= 200 && status < 300) return "unexpectedAnswer";
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "invalid";
  if (status === 429) return "rateLimited";
  return status >= 500 ? "serviceFailed" : "refused";
}

/** What to do about it; and where it is about the token, the right that is missing, and how another token comes in its place. */
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
  // What is only read holds no values to correct.
  if (kind === "invalid" && method === "GET") return "";
  return ADVICE[kind] ?? "";
}

/** The right that is missing: where the service says that one is, or hides so that it may be. */
function neededRight(kind: ErrorKind, { needs, hides }: AnswerFormat): string {
  const mayBeMissing = kind === "forbidden" || (kind === "notFound" && hides === true);
  return mayBeMissing && needs ? `The token needs ${needs}.` : "";
}

/** How another token comes in the place of one that is refused. */
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

/** What servers answer for a path that they do not know at all, unlike for an object that is not there. */
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

/** Says what is wrong with a success that cannot be the service's; undefined where nothing is. */
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
  // A write may have nothing to return. A read always has: something on the way has dropped it.
  return nature === "read" && status !== 204
    ? { event: `${event} with nothing in it`, advice: CHECK }
    : undefined;
}

const CHECK =
  "Check that the address is the service's own, and what stands between (a proxy, a load balancer).";
