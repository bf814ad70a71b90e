import type { ExchangeFailure } from "./failure";
import type { HttpAnswer, HttpRequest } from "./request";

type Nature = HttpRequest["nature"];

/** Statuses after which a request may be sent again: for all but reads those that prove that nothing happened. */
const REPEATABLE: Record<Nature, readonly number[]> = {
  read: [412, 429, 502, 503, 504],
  write: [412, 429],
  "single-use": [429],
};

/** Whether an answer lets a request of this nature be repeated. */
export function repeatsAnswer(nature: Nature, { status }: Pick<HttpAnswer, "status">): boolean {
  return REPEATABLE[nature].includes(status);
}

/**
 * Whether a failure lets a request of this nature be repeated: everything, where no connection came about and
 * another try may find one; a read also where an answer was lost.
 */
export function repeatsFailure(nature: Nature, { reason, code }: ExchangeFailure): boolean {
  if (reason === "unconnected") return PASSING.has(code ?? "");
  return nature === "read" && (reason === "lost" || reason === "timeout");
}

/** Codes of connections that may come about at the next try. */
const PASSING = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/** The first step of the wait between attempts, and the longest one, in milliseconds. */
export const FIRST_STEP = 500;
export const LONGEST_STEP = 15_000;

/** The wait before a repetition (1 for the first): half to full of a step that doubles. */
export function backoff(repetition: number, random: number): number {
  const step = Math.min(FIRST_STEP * 2 ** (repetition - 1), LONGEST_STEP);
  return step / 2 + (random * step) / 2;
}

/** Up to so many milliseconds beyond what the service asks for, so that those told the same do not return together. */
export const SPREAD = 250;

/**
 * The wait that an answer asks for, in milliseconds: Retry-After in seconds or as a date, and with a 429
 * X-RateLimit-Reset in seconds, which may have a fraction. Undefined where it asks for none.
 */
export function askedWait(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  now: number,
): number | undefined {
  const waits = [
    retryAfter(headers["retry-after"], now),
    status === 429 ? resetAfter(headers["x-ratelimit-reset"], now) : undefined,
  ].filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.ceil(Math.max(...waits));
}

/** Milliseconds until a service takes further requests, where this answer says that it was the last one of its time. */
export function restOfTime({ headers }: Pick<HttpAnswer, "headers">, now: number): number {
  if (secondsOf(headers["x-ratelimit-remaining"]) !== 0) return 0;
  return Math.ceil(resetAfter(headers["x-ratelimit-reset"], now) ?? 0);
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = secondsOf(value);
  if (seconds !== undefined) return seconds * 1000;
  // A date begins with the name of its day; Date.parse alone would take "-1" for a year.
  const date = /^[a-z]{3}/i.test(value ?? "") ? Date.parse(value ?? "") : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(date - now, 0);
}

/** Some services give the time of the reset instead of the seconds until then: a wait is never as long as thirty years. */
const EARLIEST_EPOCH_SECONDS = 1e9;

function resetAfter(value: string | undefined, now: number): number | undefined {
  const seconds = secondsOf(value);
  if (seconds === undefined) return undefined;
  return seconds < EARLIEST_EPOCH_SECONDS ? seconds * 1000 : Math.max(seconds * 1000 - now, 0);
}

function secondsOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
