import { unexpectedAnswer } from "../http/answered";
import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import { isAsSaid } from "../language/answers";
import type { CallContext } from "../language/call";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { Json } from "../value/json";
import { afterwards, GRACE_MS } from "./afterwards";
import { errorFrom, isSuccess } from "./observe";
import { send } from "./send";

/** What the service shows of a write whose answer does not tell. */
export type Sight<T> =
  | { readonly happened: true; readonly found: T }
  | { readonly happened: false; readonly found?: T };

/** One write, and what shows that it happened. */
export interface Sending<C extends CallContext, T, M = never> {
  readonly route: Route;
  readonly address: Address;
  /** Sends it, once. */
  send(context: C): Promise<HttpAnswer>;
  /** What an answer means that is neither a yes nor a no: a check that was lost, an object that exists already. */
  means?(answer: HttpAnswer): M | undefined;
  /** Looks whether it happened; none where the service does not show it. It sends reads only. */
  look?(context: C): Promise<Sight<T>>;
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
  | { readonly kind: "seen"; readonly found: T; readonly why: ServiceError }
  /** The service shows nothing of it, but perhaps something in its place. */
  | { readonly kind: "not seen"; readonly found?: T; readonly why: ServiceError }
  | Open;

/** It is not known whether it was carried out. */
export interface Open {
  readonly kind: "open";
  readonly why: ServiceError;
  /** What was answered, where anything was. */
  readonly answer?: HttpAnswer;
  /** Why the look failed; nothing where there is nothing to look at. */
  readonly unseen?: Error;
}

/**
 * Sends a write once. Where its answer does not tell what became of it, the service is looked at: once where an answer
 * came or the connection broke; again and again, until the write shows or the grace ends, where the request may still be
 * on its way. The look has time of its own, whatever ended the write.
 * @throws ServiceError where it is proven that nothing happened: the service refused it, or was not reached.
 */
export async function once<C extends CallContext, T, M = never>(
  context: C,
  sending: Sending<C, T, M>,
): Promise<Outcome<T, M>> {
  const { route, address, look } = sending;
  let answer: HttpAnswer | undefined;
  try {
    answer = await sending.send(context);
    const meaning = sending.means?.(answer);
    if (meaning !== undefined) return { kind: "means", meaning, answer };
    refuseOther(context, route, address, answer);
    return { kind: "done", answer };
  } catch (error) {
    if (look !== undefined) return whatBecame(context, error, look);
    // What nobody can look at is believed where the service itself says no.
    if (!isUnclear(error) || error.isOwnNo) throw error;
    return { kind: "open", why: error, ...(answer && { answer }) };
  }
}

/**
 * What became of a write that failed with this error.
 * @throws the error where it proves that nothing happened.
 */
export async function whatBecame<C extends CallContext, T>(
  context: C,
  error: unknown,
  look: (context: C) => Promise<Sight<T>>,
): Promise<Became<T>> {
  if (!isUnclear(error)) throw error;
  const { runtime } = context.connection;
  const asking = afterwards(context);
  const start = runtime.now();
  let waited = 0;
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    const { sight, unseen } = await glimpsed(look, asking);
    if (sight?.happened) return { kind: "seen", found: sight.found, why: error };
    const isOver = Math.max(runtime.now() - start, waited) + wait > GRACE_MS;
    if (!error.mayFollow || isOver) {
      if (sight === undefined) return { kind: "open", why: error, ...(unseen && { unseen }) };
      const { found } = sight;
      return { kind: "not seen", why: error, ...(found !== undefined && { found }) };
    }
    await runtime.sleep(wait);
    waited += wait;
  }
}

/** The wait between the first two looks for a request that may still be on its way; it doubles. */
const FIRST_WAIT_MS = 1000;

async function glimpsed<C, T>(
  look: (context: C) => Promise<Sight<T>>,
  context: C,
): Promise<{ readonly sight?: Sight<T>; readonly unseen?: Error }> {
  try {
    return { sight: await look(context) };
  } catch (error) {
    return { unseen: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * Sends a write that somebody else looks after, and believes its answer only where it is what the endpoint's page says.
 * @throws ServiceError for every other answer; an unclear one where that leaves open whether it was carried out.
 */
export async function sendWrite(
  context: CallContext,
  route: Route,
  address: Address,
  options: Omit<Parameters<typeof send>[3], "nature"> = {},
): Promise<HttpAnswer> {
  const answer = await send(context, route, address, { nature: "write", ...options });
  refuseOther(context, route, address, answer);
  return answer;
}

/** @throws ServiceError for an answer that is not what the endpoint's page says. */
function refuseOther(context: CallContext, route: Route, address: Address, answer: HttpAnswer): void {
  // Its own word, else the service's rule.
  const said = route.answers ?? context.connection.service.answers[route.method] ?? "nothing";
  if (isAsSaid(said, answer)) return;
  const error = errorFrom(context, answer, route, address, "write");
  if (!isSuccess(answer)) throw error;
  const event = `answered ${answer.status} with what this endpoint does not answer`;
  throw unexpectedAnswer(error, event, true);
}

function isUnclear(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.unclear;
}

/** How a request went that is never sent twice: its answer, or why it is open whether it was carried out. */
export type SentOnce =
  | { readonly answer: HttpAnswer; readonly lost?: undefined }
  | { readonly lost: ServiceError; readonly answer?: HttpAnswer };

/**
 * Sends a request that is never sent twice, and leaves it to the caller to look. An answer that says no is an answer.
 * @throws ServiceError where it is proven that it was not carried out: the service was not reached.
 */
export async function sendOnce(
  context: CallContext,
  route: Route,
  address: Address,
  body?: { readonly [member: string]: Json },
  query: Readonly<Record<string, string>> = {},
): Promise<SentOnce> {
  const outcome = await once<CallContext, never, "no">(context, {
    route,
    address,
    send: (asking) =>
      send(asking, route, address, { nature: "single-use", query, ...(body && { body: { ...body } }) }),
    means: (answer) => (isNo(context, answer) ? "no" : undefined),
  });
  if (outcome.kind === "done" || outcome.kind === "means") return { answer: outcome.answer };
  const { why } = outcome;
  // Without a look nothing is ever seen.
  return outcome.kind === "open" && outcome.answer ? { lost: why, answer: outcome.answer } : { lost: why };
}

/**
 * What is seen after a request whose answer was lost: with time of its own, and again and again where the request may still
 * be on its way, until the look shows it.
 * @throws Error why it cannot be looked at
 */
export async function seenAfter<C extends CallContext, T>(
  context: C,
  lost: ServiceError,
  look: (context: C) => Promise<{ readonly happened: boolean; readonly found: T }>,
): Promise<T> {
  const became = await whatBecame<C, T>(context, lost, look);
  if (became.kind === "open") throw became.unseen ?? lost;
  // Whoever looked has found something, if only that nothing was done.
  return became.found as T;
}

function isNo({ connection }: CallContext, answer: HttpAnswer): boolean {
  const { status } = answer;
  return (status >= 400 && status < 500) || (status === 500 && connection.service.isOwnError(answer));
}
