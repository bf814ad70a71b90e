import { ConnectionLost, ServiceError, TimedOut, Unreachable } from "./errors";
import type { Runtime } from "./options";
import type { Attempts, HttpRequest, HttpResponse, Nature } from "./request";

/** Statuses after which a request may be sent again. For all requests but reads, they prove that the server did nothing. */
const REPEATABLE: Record<Nature, readonly number[]> = {
  read: [412, 429, 502, 503, 504],
  write: [412, 429],
  "single-use": [429],
};

/**
 * True if a request of this nature may be sent again after this outcome: after a status that permits it, if no connection was
 * made and the next attempt may connect, and after the loss of the response to a read.
 */
export function isRepeatable(nature: Nature, outcome: HttpResponse | ServiceError): boolean {
  if (!(outcome instanceof ServiceError)) return REPEATABLE[nature].includes(outcome.status);
  if (outcome instanceof Unreachable) return PASSING.test(outcome.code ?? "");
  // Errors of reads. If the response to a write is lost, the error is an UnclearAnswer.
  return outcome instanceof ConnectionLost || outcome instanceof TimedOut;
}

/** Codes of connection failures that may be temporary. */
const PASSING =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENET(UNREACH|DOWN)|EAI_AGAIN|UND_ERR_(CONNECT_TIMEOUT|SOCKET))$/;

/** The first and the longest step of the wait between attempts, in milliseconds. */
export const FIRST_STEP = 500;
export const LONGEST_STEP = 15_000;

/** The wait before a retry (1 for the first) in milliseconds: half to all of a step that doubles. */
export function backoff(repetition: number, random: number): number {
  const step = Math.min(FIRST_STEP * 2 ** (repetition - 1), LONGEST_STEP);
  return step / 2 + (random * step) / 2;
}

/**
 * Adds up to this many milliseconds to a wait that the server requests, so that clients with the same wait do not return
 * together.
 */
const SPREAD = 250;

/**
 * The wait before the next attempt, in milliseconds: the wait that the response requests, or a backoff.
 * @param count the number of attempts so far
 */
export function delayAfter(outcome: HttpResponse | ServiceError, count: number, runtime: Runtime): number {
  const asked = outcome instanceof ServiceError ? undefined : askedWait(outcome, runtime.now());
  return asked === undefined ? backoff(count, runtime.random()) : asked + runtime.random() * SPREAD;
}

/**
 * The wait that a response requests, in milliseconds. Reads Retry-After in seconds or as a date, and for a 429
 * X-RateLimit-Reset in seconds, which may have a fraction. Undefined if the response requests no wait.
 */
export function askedWait(
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  now: number,
): number | undefined {
  const reset = status === 429 ? resetAfter(headers["x-ratelimit-reset"], now) : undefined;
  const after = retryAfter(headers["retry-after"], now);
  return (after ?? reset) === undefined ? undefined : Math.ceil(Math.max(after ?? 0, reset ?? 0));
}

/** Milliseconds until the server accepts further requests, if this response used up the rate limit; otherwise 0. */
export function restOfTime({ headers }: Pick<HttpResponse, "headers">, now: number): number {
  if (secondsOf(headers["x-ratelimit-remaining"]) !== 0) return 0;
  return Math.ceil(resetAfter(headers["x-ratelimit-reset"], now) ?? 0);
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = secondsOf(value);
  if (seconds !== undefined) return seconds * 1000;
  // A date starts with the name of its day. Date.parse alone would read "-1" as a year.
  const date = /^[a-z]{3}/i.test(value ?? "") ? Date.parse(value ?? "") : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}

/**
 * Some servers send the time of the reset instead of the seconds until the reset. Larger values are times, because no wait
 * lasts thirty years.
 */
const EARLIEST_EPOCH_SECONDS = 1e9;

function resetAfter(value: string | undefined, now: number): number | undefined {
  const seconds = secondsOf(value);
  if (seconds === undefined) return undefined;
  return seconds < EARLIEST_EPOCH_SECONDS ? seconds * 1000 : Math.max(seconds * 1000 - now, 0);
}

function secondsOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** How long a read may be the basis of a write, in milliseconds. */
const FRESH_MS = 500;

/** The maximum number of consecutive late attempts, so that a server slower than {@link FRESH_MS} is not polled forever. */
const MOST_LATE = 3;

/** The options of a write that is based on a read that ended just now. */
export function basedOnRead(attempts: Attempts, now: number): { attempts: Attempts; freshUntil: number } {
  return { attempts, freshUntil: now + FRESH_MS };
}

/** True if the read that a write is based on is too old, so that the caller must read again. */
export function isLate({ freshUntil, attempts }: HttpRequest, now: number): boolean {
  if (freshUntil === undefined || attempts === undefined) return false;
  const isDue = now > freshUntil && attempts.late < MOST_LATE;
  attempts.late = isDue ? attempts.late + 1 : 0;
  return isDue;
}

/**
 * A write was not sent, or not sent again, because the read that it is based on may be too old. The server applied nothing. The
 * caller reads again, and decides whether it still writes.
 */
export class NotSent extends Error {
  override readonly name = "NotSent";

  readonly #last: HttpResponse | ServiceError | undefined;

  /** @param last the result of the last attempt, after which the request may be sent again; undefined if there was none */
  constructor(last?: HttpResponse | ServiceError) {
    super("the object may have changed since it was read");
    this.#last = last;
  }

  /** Not a property, because a printed error must not show a response that is not masked. */
  get last(): HttpResponse | ServiceError | undefined {
    return this.#last;
  }
}

/**
 * Call before a request that the server did not apply is sent again.
 * @throws NotSent if the request is a write based on a read
 */
export function assertRepeatable({ freshUntil }: HttpRequest, last: HttpResponse | ServiceError): void {
  if (freshUntil !== undefined) throw new NotSent(last);
}
