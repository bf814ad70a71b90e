import { unexpectedAnswer } from "../http/answerErrors";
import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import type { Address } from "../language/object";
import { type Answers, isAsSaid, type Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { toError } from "../value/scalar";
import { notTakenBy } from "./middleware/warnings";
import { errorFrom, isSuccess } from "./observe";
import { GRACE_MS, lookContext, send } from "./send";

/** What the service shows of a write whose answer does not tell. */
export type LookResult<T> =
  | { readonly happened: true; readonly found: T }
  | {
      readonly happened: false;
      readonly found?: T;
      /** Whether the service would show nothing of it either way: a key alone was written. */
      readonly isBlind?: boolean;
      /** Whether what was found may be of it all the same: what would tell was not answered. */
      readonly isUndecided?: boolean;
    };

/** What is known of a success beside its form. */
export interface IsAnswered {
  /** Whether an answer that is as its page says is the answer to this write, and not to another one. */
  isAnswered?(answer: HttpAnswer): boolean;
}

/** One write, and what shows that it happened. */
export interface WriteAttempt<C extends RequestContext, T, M = never> extends IsAnswered {
  readonly route: Route;
  readonly address: Address;
  /** Sends it, once. */
  send(context: C): Promise<HttpAnswer>;
  /** What sending it twice could do; a write where nothing is said. */
  readonly nature?: "write" | "single-use";
  /** The meaning of an answer that neither confirms nor refuses: a check that was lost, an object that exists already. */
  means?(answer: HttpAnswer): M | undefined;
  /** Looks whether it happened; none where the service does not show it. It sends reads only. */
  look?(context: C): Promise<LookResult<T>>;
  /** Whether it would do harm if it were carried out after all: it takes away whatever has its place by then. */
  readonly harmsLate?: boolean;
  /** Its caller sees to what the service says that it ignored; else that alone leaves open what was carried out. */
  readonly seesToNotTaken?: boolean;
}

/** How a write went. Everything that proves that nothing happened is thrown. */
export type Outcome<T, M = never> =
  /** Its answer proves that it was carried out. */
  | { readonly kind: "done"; readonly answer: HttpAnswer }
  | { readonly kind: "means"; readonly meaning: M; readonly answer: HttpAnswer }
  | Became<T>;

/** What became of a write whose answer did not tell. */
export type Became<T> =
  /** The service shows it. */
  | { readonly kind: "shown"; readonly found: T; readonly why: ServiceError }
  /** The service shows nothing of it, but perhaps something in its place. */
  | {
      readonly kind: "not shown";
      readonly found?: T;
      readonly isBlind?: boolean;
      readonly isUndecided?: boolean;
      readonly why: ServiceError;
    }
  | Open;

/** It is not known whether it was carried out. */
export interface Open {
  readonly kind: "open";
  readonly why: ServiceError;
  /** What was answered, where anything was. */
  readonly answer?: HttpAnswer;
  /** Why the look failed; nothing where there is nothing to look at. */
  readonly lookError?: Error;
}

/**
 * Sends a write once. Where its answer does not tell what became of it, the service is looked at: once where an answer
 * came or the connection broke; again and again, until the write shows or the grace ends, where the request may still be
 * on its way, and where it would do harm if it were. The look has time of its own, whatever ended the write.
 * @throws ServiceError where it is proven that nothing happened: the service refused it, or was not reached.
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
    // Without a look, only the service's own refusal is believed.
    if (!isUnclear(error) || error.isOwnRefusal) throw error;
    return { kind: "open", why: error, ...(answer && { answer }) };
  }
}

/**
 * What became of a write that failed with this error.
 * @param isPatient whether it is looked for until the grace ends after a broken connection too
 * @throws the error where it proves that nothing happened.
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
  // The service's own no is no request on its way.
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

/** The wait between the first two looks for a request that may still be on its way; it doubles. */
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
 * Sends a write that somebody else looks after, and believes its answer only where it is what the endpoint's page says.
 * @throws ServiceError for every other answer; an unclear one where that leaves open whether it was carried out.
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

/** What was asked for. */
interface Asked {
  readonly route: Route;
  readonly address: Address;
  readonly nature: "write" | "single-use";
}

/** What the page of this endpoint answers: its own word, else the service's rule. */
export function answersOf({ answers, method }: Route, { connection }: RequestContext): Answers {
  return answers ?? connection.service.answers[method] ?? "nothing";
}

/** @throws ServiceError for an answer that is not what the endpoint's page says. */
function refuseOther(context: RequestContext, asked: Asked, answer: HttpAnswer): void {
  const { route, address, nature } = asked;
  const { service } = context.connection;
  const said = answersOf(route, context);
  if (isAsSaid(said, answer)) return;
  // Where it has something to warn of, it has to answer something.
  if (said === "nothing" && isSuccess(answer) && service.warnsOnly?.(answer)) return;
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address, nature);
  throw unexpected(context, asked, answer, "with what this endpoint does not answer");
}

/** @throws ServiceError for a success that says that it did not take all of the request. */
function refuseNotTaken(context: RequestContext, asked: Asked, answer: HttpAnswer): void {
  const notTaken = notTakenBy(answer);
  if (notTaken.length === 0) return;
  throw unexpected(context, asked, answer, `with a warning that it ignored ${notTaken.join(", ")}`);
}

/** A success that is not believed. */
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
