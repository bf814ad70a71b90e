import { types } from "node:util";
import { MOST_TEXT } from "../../../packages/redact";
import {
  ActionableError,
  again,
  type MessageFacts,
  manualCheck,
  type Remedy,
  refreshFirst,
} from "./remedies";

/** The IDs of a request: Quarterdeck's own, and the server's if it reports one. */
export interface RequestIds {
  /** One ID for all attempts of a request, sent with each as `X-Request-Id`. */
  readonly own: string;
  /** The server's own ID from its last response; masked. */
  readonly service?: string;
}

/** How many characters of Quarterdeck's ID a message shows: enough to find it in a log. */
const SHOWN = 8;

/** The end of a message: ` (request 1b9d6bcd, the service's own 7f3c…)`. */
function idsText(ids: RequestIds | undefined): string {
  if (ids === undefined) return "";
  const service = ids.service === undefined ? "" : `, server's ID ${ids.service}`;
  return ` (request ${ids.own.slice(0, SHOWN)}${service})`;
}

const TOLD = / \(request [0-9a-f]{8}(, server's ID [^()\s]+)?\)/g;

/** A message without the IDs, so that the same failure always has the same message. */
export function withoutIds(text: string): string {
  return text.replace(TOLD, "");
}

/** The longest server ID that a message shows. */
const LONGEST = 128;

/** The ID that a server reports, if it is valid: a single word, and not Quarterdeck's own ID returned. */
export function serviceId(said: unknown, own: string): string | undefined {
  if (typeof said !== "string" || said === own || said.length > LONGEST) return undefined;
  return /^[\w.:/+=@-]+$/.test(said) ? said : undefined;
}

/** The meaning of a failure, independent of its status. */
export type ErrorKind = keyof typeof classes;

/**
 * What is known about the effect of a failed request:
 *
 * - `notApplied`: the server changed nothing.
 * - `serverError`: the service itself reports an error with a 5xx. Unless a probe shows the write, nothing was applied.
 * - `unknown`: the server may have applied the request, so that the caller must read before doing anything else.
 * - `inFlight`: the same, and the server may still apply it: no response arrived, and the connection did not break.
 */
export type RequestOutcome = "notApplied" | "serverError" | "unknown" | "inFlight";

/** The facts of a failure that its error reports to the user. */
export interface FailureFacts {
  /** The service's name, as in the configuration. */
  readonly service: string;
  readonly method: string;
  /** Without the query, secrets masked. */
  readonly path: string;
  readonly status?: number | undefined;
  /** What happened, worded to follow method and path in the message: "answered 403". */
  readonly event: string;
  /** The service's own message, masked and truncated. */
  readonly words?: string;
  /** What to check next, in complete sentences. */
  readonly advice: string;
  readonly attempts: number;
  /** Default: `notApplied`. */
  readonly outcome?: RequestOutcome;
  /** The system's code of a transport failure: ECONNREFUSED. */
  readonly code?: string;
  /** The IDs of the request; undefined if it was never sent. */
  readonly ids?: RequestIds | undefined;
}

/** The facts of one attempt, without those of its request. */
export type AttemptFacts = Omit<FailureFacts, "service" | "method" | "path" | "attempts">;

/** Any failure between Quarterdeck and a service. Its message is one paragraph without secrets. */
export class ServiceError extends ActionableError {
  declare readonly service: string;
  declare readonly method: string;
  declare readonly path: string;
  declare readonly status: number | undefined;
  declare readonly words: string;
  declare readonly advice: string;
  declare readonly attempts: number;
  declare readonly outcome: RequestOutcome;
  declare readonly code?: string;
  declare readonly ids?: RequestIds | undefined;

  constructor(
    failure: FailureFacts,
    remedies: readonly Remedy[] = [manualCheck(failure.advice)],
    facts: MessageFacts = {},
  ) {
    super(paragraph(failure), remedies, facts, { suffix: idsText(failure.ids) });
    this.name = new.target.name;
    Object.assign(this, { words: "", outcome: "notApplied" }, failure);
  }
}

/** 401: the server does not know the caller. */
export class Unauthenticated extends ServiceError {}
/** 403: the caller lacks permission. */
export class Forbidden extends ServiceError {}
/** 404. The definition decides whether it proves that an object was deleted. */
export class NotFound extends ServiceError {}
/** 400 or 422: the server rejects the values. */
export class Invalid extends ServiceError {}
/** The server's check-and-set rejected the write because someone else changed the object first. */
export class CheckAndSetLost extends ServiceError {
  constructor(facts: FailureFacts) {
    super(
      facts,
      [manualCheck(facts.advice), refreshFirst("pulumi refresh, then run the same command again")],
      {
        changedBy: "someoneElse",
      },
    );
  }
}
/** 429, and no time is left to wait for another attempt. */
export class RateLimited extends ServiceError {}
/** Any other rejection: a conflict, an unsupported method, a redirect that is not followed. */
export class Refused extends ServiceError {}
/** 5xx. */
export class ServiceFailed extends ServiceError {}
/** No connection was made, so the server did nothing. */
export class Unreachable extends ServiceError {}
/** A write was sent and its response was lost: the outcome is unknown. */
export class UnclearAnswer extends ServiceError {}
/** A read, or a write that was not sent yet, ran out of time. */
export class TimedOut extends ServiceError {}
/** The connection broke during a read, on every attempt. */
export class ConnectionLost extends ServiceError {}
/** A success that cannot come from the service: HTML, incomplete JSON, a response above the size limit. */
export class UnexpectedAnswer extends ServiceError {}
/** The caller canceled the request. */
export class Canceled extends ServiceError {
  constructor(facts: FailureFacts) {
    super(facts, [manualCheck(facts.advice), again()]);
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
  canceled: Canceled,
};

/** Creates the error of a kind. Every service error is created here. */
export function serviceError(kind: ErrorKind, facts: FailureFacts): ServiceError {
  return new classes[kind](facts);
}

/** The class name of a kind's errors. */
export function classOf(kind: ErrorKind): string {
  return classes[kind].name;
}

/**
 * Prepares an error for a host that prints stacks: the same error, with its message as its stack. A thrown value that is not
 * an error becomes an error.
 */
export function withoutStack(error: unknown): Error {
  const presented = types.isNativeError(error) ? error : new Error(String(error));
  presented.stack = presented.message;
  return presented;
}

function paragraph({ method, path, event, words = "", attempts }: FailureFacts): string {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  const quoted = words === "" ? "." : `: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
  return `${method} ${path} ${event}${tries}${quoted}`;
}

const LONGEST_QUOTE = 500;

/** Formats external text for a message: one line, no control characters, limited length. */
export function oneLine(text: string): string {
  // Also removes characters that reorder or hide text, so that the message reads as displayed.
  const line = text
    .slice(0, MOST_TEXT)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 2 * LONGEST_QUOTE + 2)];
  return characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE - 1).join("")}…` : line;
}
