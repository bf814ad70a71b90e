import { types } from "node:util";
import type { HttpAnswer, HttpRequest } from "./request";
import { describeWords } from "./words";

/** What a failure means, whatever its status. */
export type Kind = keyof typeof classes;

/** What a failure tells the person who must act. */
export interface FailureFacts {
  /** The service's name, as in the configuration. */
  readonly service: string;
  readonly method: string;
  /** Without query, secrets masked. */
  readonly path: string;
  readonly status?: number;
  /** What happened, as it follows method and path in the message: "answered 403". */
  readonly event: string;
  /** The service's own words, masked and cut. */
  readonly words?: string;
  /** What to check next: whole sentences. */
  readonly advice: string;
  readonly attempts: number;
  /** Whether a write may have happened all the same, so that one must look before doing anything else. */
  readonly unclear: boolean;
  /** Whether it may still be on its way, and be carried out later: nobody answered, and nothing broke. */
  readonly mayFollow?: boolean;
  /** Whether the service itself said no, in the shape of its own errors, and not what stands in front of it. */
  readonly isOwnNo?: boolean;
  /** The system's code for a transport failure: ECONNREFUSED. */
  readonly code?: string;
}

/** Everything that goes wrong between us and a service. Its message is one paragraph without secrets. */
export class ServiceError extends Error {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly words: string;
  readonly advice: string;
  readonly attempts: number;
  readonly unclear: boolean;
  readonly mayFollow: boolean;
  readonly isOwnNo: boolean;
  readonly code: string | undefined;

  constructor(facts: FailureFacts) {
    super(paragraph(facts));
    this.name = new.target.name;
    this.service = facts.service;
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.words = facts.words ?? "";
    this.advice = facts.advice;
    this.attempts = facts.attempts;
    this.unclear = facts.unclear;
    this.mayFollow = facts.mayFollow ?? false;
    this.isOwnNo = facts.isOwnNo ?? false;
    this.code = facts.code;
  }
}

/** 401: the service does not know the caller. */
export class Unauthenticated extends ServiceError {}
/** 403: the caller may not do this. */
export class Forbidden extends ServiceError {}
/** 404. Whether it proves that something is gone is for the definition to say. */
export class NotFound extends ServiceError {}
/** 400 or 422: the service refuses the values. */
export class Invalid extends ServiceError {}
/** The service's check-and-set refused the write: somebody else was faster. */
export class CheckAndSetLost extends ServiceError {}
/** 429, and patience is over. */
export class RateLimited extends ServiceError {}
/** Every other refusal: a conflict, an unsupported method, a redirect that is not followed. */
export class Refused extends ServiceError {}
/** 5xx. */
export class ServiceFailed extends ServiceError {}
/** No connection came about, so nothing happened. */
export class Unreachable extends ServiceError {}
/** A write was sent and its answer was lost: it may or may not have happened. */
export class UnclearAnswer extends ServiceError {}
/** A read, or a write that was not sent yet, ran out of time. */
export class TimedOut extends ServiceError {}
/** The connection broke during a read, as often as it was tried. */
export class ConnectionLost extends ServiceError {}
/** A success that cannot be what the service says: HTML, torn JSON, more than the cap. */
export class UnexpectedAnswer extends ServiceError {}
/** The caller gave up. */
export class Cancelled extends ServiceError {}

const classes = {
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  notFound: NotFound,
  invalid: Invalid,
  checkAndSetLost: CheckAndSetLost,
  rateLimited: RateLimited,
  refused: Refused,
  serviceFailed: ServiceFailed,
  unreachable: Unreachable,
  unclearAnswer: UnclearAnswer,
  timedOut: TimedOut,
  connectionLost: ConnectionLost,
  unexpectedAnswer: UnexpectedAnswer,
  cancelled: Cancelled,
};

/** Makes the error of a kind; every service error is made here. */
export function serviceError(kind: Kind, facts: FailureFacts): ServiceError {
  return new classes[kind](facts);
}

/** How a service's answers read. */
export interface AnswerReading {
  readonly service: string;
  /** The service's own words in an answer that is an error. */
  readonly words: (answer: HttpAnswer) => string;
  /** What an answer means, where its status does not say it. */
  readonly kind?: ((answer: HttpAnswer) => Kind | undefined) | undefined;
  /** Whether a 404 may also say that the token has no right to look. */
  readonly hides?: boolean | undefined;
  /** Whether an answer is in the shape that the service gives to all of its errors. */
  readonly isOwnError?: ((answer: HttpAnswer) => boolean) | undefined;
  /** What to do about it, where more can be said than by its kind. */
  readonly advice?: ((answer: HttpAnswer) => string | undefined) | undefined;
}

/** Turns an answer that is a failure into the error that names it. */
export function serviceErrorFrom(
  request: Pick<HttpRequest, "method" | "path" | "nature" | "secrets">,
  answer: HttpAnswer,
  reading: AnswerReading,
): ServiceError {
  const kind = reading.kind?.(answer) ?? kindOfStatus(answer.status);
  const { words, html } = describeWords(answer, reading.words, request.secrets);
  return serviceError(kind, {
    service: reading.service,
    method: request.method,
    path: answer.mask?.(request.path) ?? request.path,
    status: answer.status,
    event: `answered ${answer.status}`,
    words,
    advice: html
      ? OTHER_PRODUCT
      : (reading.advice?.(answer) ?? adviceFor(kind, answer, request.method, reading)),
    attempts: answer.attempts,
    ...clarityOf(request, answer, reading, kind),
  });
}

/** The error of a success that is not what the endpoint answers, in place of one that was made from its status alone. */
export function unexpectedAnswer(
  { service, method, path, status, advice, attempts }: ServiceError,
  event: string,
  unclear = false,
): ServiceError {
  const known = status === undefined ? {} : { status };
  return serviceError("unexpectedAnswer", {
    service,
    method,
    path,
    ...known,
    event,
    advice,
    attempts,
    unclear,
  });
}

/**
 * What a 5xx answer to a write leaves open. The service's own no is one that is looked at all the same, where that can be
 * done; behind whatever else answered, the request may still be at work.
 */
function clarityOf(
  { nature }: Pick<HttpRequest, "nature">,
  answer: HttpAnswer,
  { isOwnError }: AnswerReading,
  kind: Kind,
): Pick<FailureFacts, "unclear" | "mayFollow" | "isOwnNo"> {
  if (kind !== "serviceFailed" || nature === "read") return { unclear: false };
  const isOwnNo = answer.status === 500 && isOwnError?.(answer) === true;
  return { unclear: true, isOwnNo, mayFollow: !isOwnNo };
}

/**
 * The error as it may be handed to a host that prints stacks: the same error, whose stack is its message.
 * What was thrown and is no error becomes one.
 */
export function presentable(error: unknown): Error {
  const presented = types.isNativeError(error) ? error : new Error(String(error));
  presented.stack = presented.message;
  return presented;
}

/** What to check where HTML came back: no control plane answers that. */
export const OTHER_PRODUCT =
  "That is a web page, not this service's answer: check that the address is the API's and not a console's, " +
  "a proxy's or a login page's.";

function kindOfStatus(status: number): Kind {
  if (status >= 200 && status < 300) return "unexpectedAnswer";
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "invalid";
  if (status === 429) return "rateLimited";
  return status >= 500 ? "serviceFailed" : "refused";
}

function adviceFor(kind: Kind, answer: HttpAnswer, method: string, { hides }: AnswerReading): string {
  if (kind === "refused") return adviceForRefusal(answer);
  if (kind === "notFound" && hides === true) return `${ADVICE.notFound} ${HIDDEN}`;
  if (kind === "notFound" && saysNoSuchEndpoint(answer)) return NOT_OFFERED;
  // What is only read holds no values to correct.
  if (kind === "invalid" && method === "GET") return "";
  return ADVICE[kind] ?? "";
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

const ADVICE: Partial<Record<Kind, string>> = {
  unauthenticated: "The token is missing, wrong or expired: check the connection's token.",
  forbidden: "The service does not let this token do that: check the token, its policies and the namespace.",
  notFound: "Check the name, the namespace and the address.",
  invalid: "Correct the values as the service says.",
  checkAndSetLost: "Somebody else wrote it since it was last read: run pulumi refresh, look, and try again.",
  rateLimited: "Wait, or send less at a time: pulumi up --parallel 4.",
  serviceFailed:
    "Look into the service's own log; if a gateway answered for it, see whether the service behind it runs.",
  unexpectedAnswer: "Check that the address is the service's own.",
};

function paragraph({ service, method, path, event, words = "", advice, attempts }: FailureFacts): string {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  const quoted = words === "" ? "." : `: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  return `${service}: ${method} ${path} ${event}${tries}${quoted}${advice && ` ${advice}`}`;
}
