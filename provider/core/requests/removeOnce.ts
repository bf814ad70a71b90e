import { NotFound, type ServiceError } from "../http/errors";
import type { HttpAnswer, HttpRequest } from "../http/request";
import { isOwnRefusal } from "../language/cluster";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { ObjectHookContext, RequestContext } from "../language/stepInput";
import type { Json } from "../value/json";
import { doubtError } from "./doubt";
import { send } from "./send";
import { type IsAnswered, sendOnceAndLook, whatBecame } from "./sendOnce";

/** How the removal of an object differs from a plain request. */
export interface Removal extends IsAnswered {
  readonly body?: Json;
  readonly repeatWhile?: HttpRequest["repeatWhile"];
  /** Whether a refusal says that there was nothing left to do. */
  isDoneAlready?(answer: HttpAnswer): boolean;
  /** Whether the object is gone; by itself, whether it is proven gone. */
  isGone?(context: ObjectHookContext): Promise<boolean>;
}

/**
 * Removes an object by one request. An unclear answer is looked at, and so is one that does not find it.
 * @throws ServiceError where the service refuses; Error where it is not known whether it was removed.
 */
export async function removeOnce(
  context: ObjectHookContext,
  route: Route,
  address: Address,
  { body, repeatWhile, isDoneAlready, isAnswered, isGone = goneByLook(address) }: Removal = {},
): Promise<void> {
  try {
    const outcome = await sendOnceAndLook<ObjectHookContext, undefined, "done already">(context, {
      route,
      address,
      send: (asking) =>
        send(asking, route, address, {
          nature: "write",
          ...(body !== undefined && { body }),
          ...(repeatWhile && { repeatWhile }),
        }),
      means: (answer) => (isDoneAlready?.(answer) ? "done already" : undefined),
      ...(isAnswered && { isAnswered }),
      look: async (asking) => ({ happened: await isGone(asking), found: undefined }),
      harmsLate: true,
    });
    if (outcome.kind === "not shown" || outcome.kind === "open") throw doubtError(outcome);
  } catch (error) {
    if (!(error instanceof NotFound && (await isGone(context)))) throw error;
  }
}

function goneByLook(address: Address): (context: ObjectHookContext) => Promise<boolean> {
  return async (context) => (await context.observe(address)) === undefined;
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
  context: RequestContext,
  route: Route,
  address: Address,
  body?: { readonly [member: string]: Json },
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<SentOnce> {
  const outcome = await sendOnceAndLook<RequestContext, never, "no">(context, {
    route,
    address,
    nature: "single-use",
    send: (asking) =>
      send(asking, route, address, {
        nature: "single-use",
        query,
        headers,
        ...(body && { body: { ...body } }),
      }),
    means: (answer) => (isRefusal(context, answer) ? "no" : undefined),
  });
  if (outcome.kind === "done" || outcome.kind === "means") return { answer: outcome.answer };
  const { why } = outcome;
  // Without a look nothing is ever seen.
  return outcome.kind === "open" && outcome.answer ? { lost: why, answer: outcome.answer } : { lost: why };
}

/**
 * What a look finds after a request whose answer was lost: with time of its own, and again and again where the request may
 * still be on its way, until the look shows it.
 * @throws Error why it cannot be looked at
 */
export async function foundAfter<C extends RequestContext, T>(
  context: C,
  lost: ServiceError,
  look: (context: C) => Promise<{ readonly happened: boolean; readonly found: T }>,
): Promise<T> {
  const became = await whatBecame<C, T>(context, lost, look);
  if (became.kind === "open") throw became.lookError ?? lost;
  // Whoever looked has found something, if only that nothing was done.
  return became.found as T;
}

function isRefusal({ connection }: RequestContext, answer: HttpAnswer): boolean {
  const { status } = answer;
  return (status >= 400 && status < 500) || isOwnRefusal(connection.service, answer);
}
