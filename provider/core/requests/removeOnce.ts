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
  /** True if a rejection means that there was nothing left to do. */
  isDoneAlready?(answer: HttpAnswer): boolean;
  /** True if the object was deleted. By default, a read must prove it. */
  isGone?(context: ObjectHookContext): Promise<boolean>;
}

/**
 * Removes an object with one request. Probes after an inconclusive response, and after a response that the object was not
 * found.
 * @throws ServiceError if the server rejects the removal; Error if the outcome is unknown.
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

/** The outcome of a request that is never sent twice: its response, or the reason why its outcome is unknown. */
export type SentOnce =
  | { readonly answer: HttpAnswer; readonly lost?: undefined }
  | { readonly lost: ServiceError; readonly answer?: HttpAnswer };

/**
 * Sends a request that is never sent twice, and leaves the probe to the caller. A rejection counts as a response.
 * @throws ServiceError if the request was certainly not carried out: the server was not reached.
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
  // Without a probe, the outcome is never "shown".
  return outcome.kind === "open" && outcome.answer ? { lost: why, answer: outcome.answer } : { lost: why };
}

/**
 * The result of a probe after a request whose response was lost. The probe has its own time limit. While the request may
 * still be on its way, the probe repeats until it finds the change.
 * @throws Error why the probe failed
 */
export async function foundAfter<C extends RequestContext, T>(
  context: C,
  lost: ServiceError,
  look: (context: C) => Promise<{ readonly happened: boolean; readonly found: T }>,
): Promise<T> {
  const became = await whatBecame<C, T>(context, lost, look);
  if (became.kind === "open") throw became.lookError ?? lost;
  // A probe that succeeds has always found something, if only that nothing was done.
  return became.found as T;
}

function isRefusal({ connection }: RequestContext, answer: HttpAnswer): boolean {
  const { status } = answer;
  return (status >= 400 && status < 500) || isOwnRefusal(connection.service, answer);
}
