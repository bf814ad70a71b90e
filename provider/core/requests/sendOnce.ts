import { unexpectedAnswer } from "../http/answerErrors";
import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import type { Address } from "../language/object";
import { type Answers, isAsSaid, type Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { toError } from "../value/error";
import { notTakenBy } from "./middleware/warnings";
import { errorFrom, isSuccess } from "./observe";
import { GRACE_MS, lookContext, send } from "./send";

/** The result of a probe for a write whose response is inconclusive. */
export type LookResult<T> =
  | { readonly happened: true; readonly found: T }
  | {
      readonly happened: false;
      readonly found?: T;
      /** True if the server would show no trace of the write in any case, because only a key was written. */
      readonly isBlind?: boolean;
      /** True if the object found may still come from this write: the request that would decide it got no response. */
      readonly isUndecided?: boolean;
    };

/** Further checks of a successful response. */
export interface IsAnswered {
  /** True if a response of the documented form answers this write and not a different one. */
  isAnswered?(answer: HttpAnswer): boolean;
}

/** One write, and how to verify it. */
export interface WriteAttempt<C extends RequestContext, T, M = never> extends IsAnswered {
  readonly route: Route;
  readonly address: Address;
  /** Sends the write, once. */
  send(context: C): Promise<HttpAnswer>;
  /** The effect of sending it twice; `write` by default. */
  readonly nature?: "write" | "single-use";
  /**
   * The meaning of a response that neither confirms nor rejects the write: a failed precondition, or an object that already
   * exists.
   */
  means?(answer: HttpAnswer): M | undefined;
  /** Probes for the write; omitted if the server does not show it. A probe sends reads only. */
  look?(context: C): Promise<LookResult<T>>;
  /** True if a late write would do harm, because it would remove a successor of its object. */
  readonly harmsLate?: boolean;
  /**
   * True if the caller handles fields that the server reports as ignored. Otherwise, such a report makes the outcome
   * unknown.
   */
  readonly seesToNotTaken?: boolean;
}

/** The outcome of a write. If the server proves that nothing happened, the caller gets an exception instead. */
export type Outcome<T, M = never> =
  /** The response proves that the server carried out the write. */
  | { readonly kind: "done"; readonly answer: HttpAnswer }
  | { readonly kind: "means"; readonly meaning: M; readonly answer: HttpAnswer }
  | Became<T>;

/** The outcome of a write whose response was inconclusive. */
export type Became<T> =
  /** The server shows the write. */
  | { readonly kind: "shown"; readonly found: T; readonly why: ServiceError }
  /** The server does not show the write, but may show a different object at the same address. */
  | {
      readonly kind: "not shown";
      readonly found?: T;
      readonly isBlind?: boolean;
      readonly isUndecided?: boolean;
      readonly why: ServiceError;
    }
  | Open;

/** The outcome is unknown. */
export interface Open {
  readonly kind: "open";
  readonly why: ServiceError;
  /** The response, if there was one. */
  readonly answer?: HttpAnswer;
  /** Why the probe failed; undefined if there is no probe. */
  readonly lookError?: Error;
}

/**
 * Sends a write once. If its response is inconclusive, the probe runs. It runs once if a response arrived or the connection
 * broke. It repeats if the request may still be on its way, or if a late write would do harm. It then ends when it finds the
 * write or its time is over. The probe has its own time limit, no matter why the write ended.
 * @throws ServiceError if it is certain that nothing happened: the server rejected the write, or was not reached.
 */
export async function sendOnceAndLook<C extends RequestContext, T, M = never>(
  context: C,
  sending: WriteAttempt<C, T, M>,
): Promise<Outcome<T, M>> {
  const { route, address, look, harmsLate = false, nature = "write" } = sending;
  const asked: Asked = { route, address, nature };
  let answer: HttpAnswer | undefined;
  try {
    answer = await sending.send(context);
    const meaning = sending.means?.(answer);
    if (meaning !== undefined) return { kind: "means", meaning, answer };
    refuseOther(context, asked, answer);
    if (sending.isAnswered?.(answer) === false) throw notWritten(context, asked, answer);
    if (!sending.seesToNotTaken) refuseNotTaken(context, asked, answer);
    return { kind: "done", answer };
  } catch (error) {
    if (look !== undefined) return whatBecame(context, error, look, { isPatient: harmsLate });
    // Without a probe, only the server's own rejection counts.
    if (!isUnclear(error) || error.isOwnRefusal) throw error;
    return { kind: "open", why: error, ...(answer && { answer }) };
  }
}

/**
 * Determines the outcome of a write that failed with this error.
 * @param isPatient true if the probe repeats until its time ends, even after a broken connection
 * @throws the error if it proves that nothing happened.
 */
export async function whatBecame<C extends RequestContext, T>(
  context: C,
  error: unknown,
  look: (context: C) => Promise<LookResult<T>>,
  { isPatient } = { isPatient: false },
): Promise<Became<T>> {
  if (!isUnclear(error)) throw error;
  const { runtime } = context.connection;
  const asking = lookContext(context);
  // After the server's own rejection, no request is on its way.
  const looksOn = error.mayStillHappen || (isPatient && !error.isOwnRefusal);
  const start = runtime.now();
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const { sight: result, lookError } = await looked(look, asking);
    if (result?.happened) return { kind: "shown", found: result.found, why: error };
    const isOver = Math.max(runtime.now() - start, waited) + wait > GRACE_MS;
    if (isOver || !looksOn) {
      if (result === undefined) return { kind: "open", why: error, ...(lookError && { lookError }) };
      const { happened: _, ...shown } = result;
      return { kind: "not shown", why: error, isBlind: false, ...shown };
    }
    await runtime.sleep(wait);
    waited += wait;
  }
}

/** The wait between the first two probes for a request that may still be on its way, in milliseconds. It doubles each time. */
const FIRST_WAIT_MS = 1000;

async function looked<C, T>(
  look: (context: C) => Promise<LookResult<T>>,
  context: C,
): Promise<{ readonly sight?: LookResult<T>; readonly lookError?: Error }> {
  try {
    return { sight: await look(context) };
  } catch (error) {
    return { lookError: toError(error) };
  }
}

/**
 * Sends a write whose outcome the caller tracks. Accepts the response only if it has the documented form.
 * @throws ServiceError for every other response, with an unknown outcome if the write may have been carried out.
 */
export async function sendWrite(
  context: RequestContext,
  route: Route,
  address: Address,
  { isAnswered, ...options }: Omit<Parameters<typeof send>[3], "nature"> & IsAnswered = {},
): Promise<HttpAnswer> {
  const answer = await send(context, route, address, { nature: "write", ...options });
  const asked: Asked = { route, address, nature: "write" };
  refuseOther(context, asked, answer);
  if (isAnswered?.(answer) === false) throw notWritten(context, asked, answer);
  refuseNotTaken(context, asked, answer);
  return answer;
}

/** A write request, for checking its response. */
interface Asked {
  readonly route: Route;
  readonly address: Address;
  readonly nature: "write" | "single-use";
}

/** The documented response of this endpoint: the route's own, or the default of its service. */
export function answersOf({ answers, method }: Route, { connection }: RequestContext): Answers {
  return answers ?? connection.service.answers[method] ?? "nothing";
}

/** @throws ServiceError if the response does not have the documented form. */
function refuseOther(context: RequestContext, asked: Asked, answer: HttpAnswer): void {
  const { route, address, nature } = asked;
  const { service } = context.connection;
  const said = answersOf(route, context);
  if (isAsSaid(said, answer)) return;
  // An endpoint without a response body sends one if it has a warning.
  if (said === "nothing" && isSuccess(answer) && service.warnsOnly?.(answer)) return;
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address, nature);
  throw unexpected(context, asked, answer, "with what this endpoint does not answer");
}

/** @throws ServiceError if a successful response reports that the server ignored part of the request. */
function refuseNotTaken(context: RequestContext, asked: Asked, answer: HttpAnswer): void {
  const notTaken = notTakenBy(answer);
  if (notTaken.length === 0) return;
  throw unexpected(context, asked, answer, `with a warning that it ignored ${notTaken.join(", ")}`);
}

/** The error for a successful response that does not confirm the write. */
function unexpected(
  context: RequestContext,
  { route, address, nature }: Asked,
  answer: HttpAnswer,
  what: string,
): ServiceError {
  const error = errorFrom(context, answer, route, address, nature);
  const event = `answered ${answer.status} ${what}`;
  return unexpectedAnswer(error, event, true);
}

function notWritten(context: RequestContext, asked: Asked, answer: HttpAnswer): ServiceError {
  return unexpected(context, asked, answer, "with what is not the object that was written");
}

function isUnclear(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.unclear;
}
