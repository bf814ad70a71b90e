import { types } from "node:util";
import { AdvisedError, again, checked, refreshFirst, type WayOn } from "./waysOn";

/** By what a request is known: to us, and where its service says one, to that. */
export interface RequestIds {
  /** One for all tries of a request; it goes with each as `X-Request-Id`. */
  readonly own: string;
  /** The service's own, as its last answer says it; masked. */
  readonly service?: string;
}

/** So much of an id of ours stands in a message: enough to find it in a log. */
const SHOWN = 8;

/** What stands at the end of a message: ` (request 1b9d6bcd, the service's own 7f3c…)`. */
export function idsText(ids: RequestIds | undefined): string {
  if (ids === undefined) return "";
  const service = ids.service === undefined ? "" : `, the service's own ${ids.service}`;
  return ` (request ${ids.own.slice(0, SHOWN)}${service})`;
}

const TOLD = / \(request [0-9a-f]{8}(, the service's own [^()\s]+)?\)/g;

/** A message without the ids in it: the same whenever the same goes wrong. */
export function withoutIds(text: string): string {
  return text.replace(TOLD, "");
}

/** The longest id of a service's that is told. */
const LONGEST = 128;

/** An id as a service says it, if it is one: a word, and none of ours that it only gives back. */
export function serviceId(said: unknown, own: string): string | undefined {
  if (typeof said !== "string" || said === own || said.length > LONGEST) return undefined;
  return /^[\w.:/+=@-]+$/.test(said) ? said : undefined;
}

/** What a failure means, whatever its status. */
export type ErrorKind = keyof typeof classes;

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
  /** Whether the request may still be carried out: nobody answered, and the connection did not break. */
  readonly mayStillHappen?: boolean;
  /** Whether the service itself refused, in the shape of its own errors, and not a gateway in front of it. */
  readonly isOwnRefusal?: boolean;
  /** The system's code for a transport failure: ECONNREFUSED. */
  readonly code?: string;
  /** By what the request is known; nothing where it never came to be sent. */
  readonly ids?: RequestIds | undefined;
}

/** Everything that goes wrong between us and a service. Its message is one paragraph without secrets. */
export class ServiceError extends AdvisedError {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly words: string;
  readonly advice: string;
  readonly attempts: number;
  readonly unclear: boolean;
  readonly mayStillHappen: boolean;
  readonly isOwnRefusal: boolean;
  readonly code: string | undefined;
  readonly ids: RequestIds | undefined;

  constructor(facts: FailureFacts, ways: readonly WayOn[] = [checked(facts.advice)]) {
    super(paragraph(facts), ways, idsText(facts.ids));
    this.name = new.target.name;
    this.service = facts.service;
    this.method = facts.method;
    this.path = facts.path;
    this.status = facts.status;
    this.words = facts.words ?? "";
    this.advice = facts.advice;
    this.attempts = facts.attempts;
    this.unclear = facts.unclear;
    this.mayStillHappen = facts.mayStillHappen ?? false;
    this.isOwnRefusal = facts.isOwnRefusal ?? false;
    this.code = facts.code;
    this.ids = facts.ids;
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
export class CheckAndSetLost extends ServiceError {
  constructor(facts: FailureFacts) {
    super(facts, [checked(facts.advice), refreshFirst("pulumi refresh, and the same command again")]);
  }
}
/** 429, and no time is left to wait for another attempt. */
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
export class Cancelled extends ServiceError {
  constructor(facts: FailureFacts) {
    super(facts, [checked(facts.advice), again()]);
  }
}

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
export function serviceError(kind: ErrorKind, facts: FailureFacts): ServiceError {
  return new classes[kind](facts);
}

/** The name of the class of a kind's errors. */
export function classOf(kind: ErrorKind): string {
  return classes[kind].name;
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

function paragraph({ method, path, event, words = "", attempts }: FailureFacts): string {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  const quoted = words === "" ? "." : `: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  return `${method} ${path} ${event}${tries}${quoted}`;
}
