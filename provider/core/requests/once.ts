import { ServiceError, serviceError } from "../http/errors";
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
export interface Write<C extends CallContext, T, M = never> {
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
  /** Its answer did not tell, and the service shows it. */
  | { readonly kind: "seen"; readonly found: T; readonly why: ServiceError }
  | NotSeen<T>
  | Open;

/** Its answer did not tell, and the service shows nothing of it. */
export interface NotSeen<T> {
  readonly kind: "not seen";
  /** What the service shows in its place. */
  readonly found?: T;
  readonly why: ServiceError;
  /** The service itself said no, in its own words. */
  readonly isRefused: boolean;
  /** The request may still be on its way, and be carried out later. */
  readonly mayFollow: boolean;
}

/** It is not known whether it was carried out. */
export interface Open {
  readonly kind: "open";
  readonly why: ServiceError;
  /** What was answered, where anything was. */
  readonly answer?: HttpAnswer;
  /** Why the look failed; nothing where there is nothing to look at. */
  readonly unseen?: Error;
  readonly mayFollow: boolean;
}

/**
 * Sends a write once. Where its answer does not tell what became of it, the service is looked at: once where the answer
 * is there or the connection broke; again and again, until the write shows or the grace ends, where the request may still
 * be on its way. The look has time of its own, whatever ended the write.
 * @throws ServiceError where it is proven that nothing happened: the service refused it, or was not reached.
 */
export async function once<C extends CallContext, T, M = never>(
  context: C,
  write: Write<C, T, M>,
): Promise<Outcome<T, M>> {
  const sent = await attempted(context, write);
  if (sent.kind !== "unclear") return sent;
  if (write.look !== undefined) return looked(context, write.look, sent);
  // What nobody can look at is believed where the service itself says no.
  if (sent.isRefused) throw sent.why;
  const { why, mayFollow, answer } = sent;
  return { kind: "open", why, mayFollow, ...(answer && { answer }) };
}

interface Unclear {
  readonly kind: "unclear";
  readonly why: ServiceError;
  readonly answer?: HttpAnswer;
  readonly isRefused: boolean;
  readonly mayFollow: boolean;
}

async function attempted<C extends CallContext, T, M>(
  context: C,
  write: Write<C, T, M>,
): Promise<Outcome<T, M> | Unclear> {
  const { route, address } = write;
  let answer: HttpAnswer;
  try {
    answer = await write.send(context);
  } catch (error) {
    if (!(error instanceof ServiceError && error.unclear)) throw error;
    return { kind: "unclear", why: error, isRefused: false, mayFollow: error.mayFollow };
  }
  const meaning = write.means?.(answer);
  if (meaning !== undefined) return { kind: "means", meaning, answer };
  if (isSuccess(answer)) {
    if (isAsSaid(answersOf(context, route), answer)) return { kind: "done", answer };
    const why = unexpected(context, route, address, answer);
    return { kind: "unclear", why, answer, isRefused: false, mayFollow: false };
  }
  const why = errorFrom(context, answer, route, address, "write");
  if (answer.status < 500) throw why;
  const isRefused = answer.status === 500 && context.connection.service.isOwnError(answer);
  // Behind a gateway the request may still be at work.
  return { kind: "unclear", why, answer, isRefused, mayFollow: !isRefused };
}

/** What the page of this endpoint answers: its own word, else the service's rule. */
function answersOf({ connection }: CallContext, { method, answers }: Route) {
  return answers ?? connection.service.answers[method] ?? "nothing";
}

function unexpected(context: CallContext, route: Route, address: Address, answer: HttpAnswer): ServiceError {
  const error = errorFrom(context, answer, route, address, "write");
  return serviceError("unexpectedAnswer", {
    service: error.service,
    method: error.method,
    path: error.path,
    status: answer.status,
    event: `answered ${answer.status} with what this endpoint does not answer`,
    advice: error.advice,
    attempts: error.attempts,
    unclear: true,
  });
}

async function looked<C extends CallContext, T, M>(
  context: C,
  look: NonNullable<Write<C, T, M>["look"]>,
  { why, isRefused, mayFollow }: Unclear,
): Promise<Outcome<T, M>> {
  const { runtime } = context.connection;
  const asking = afterwards(context);
  const start = runtime.now();
  let waited = 0;
  for (let wait = 1000; ; wait *= 2) {
    const { sight, unseen } = await glimpsed(look, asking);
    if (sight?.happened) return { kind: "seen", found: sight.found, why };
    const isOver = Math.max(runtime.now() - start, waited) + wait > GRACE_MS;
    if (!mayFollow || isOver) {
      if (sight === undefined) return { kind: "open", why, mayFollow, ...(unseen && { unseen }) };
      const { found } = sight;
      return { kind: "not seen", why, isRefused, mayFollow, ...(found !== undefined && { found }) };
    }
    await runtime.sleep(wait);
    waited += wait;
  }
}

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
  const outcome = await once<CallContext, never, "a no">(context, {
    route,
    address,
    send: (asking) =>
      send(asking, route, address, { nature: "single-use", query, ...(body && { body: { ...body } }) }),
    means: (answer) => (isNo(context, answer) ? "a no" : undefined),
  });
  if (outcome.kind === "done" || outcome.kind === "means") return { answer: outcome.answer };
  const { why } = outcome;
  // Without a look nothing is ever seen.
  return outcome.kind === "open" && outcome.answer ? { lost: why, answer: outcome.answer } : { lost: why };
}

function isNo({ connection }: CallContext, answer: HttpAnswer): boolean {
  const { status } = answer;
  return (status >= 400 && status < 500) || (status === 500 && connection.service.isOwnError(answer));
}
