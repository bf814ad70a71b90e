import { NotFound, type ServiceError } from "../http/errors";
import type { HttpRequest, HttpResponse } from "../http/request";
import { NotSent } from "../http/retry";
import { isOwnRefusal } from "../language/cluster";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { ObjectHookContext, RequestContext } from "../language/stepInput";
import type { Json } from "../value/json";
import {
  type OutcomeUnknown,
  type Probe,
  probe,
  probeContext,
  type ShownByProbe,
  unknownError,
} from "./probe";
import { send } from "./send";
import { resultOf, sendForResult, type WriteRequest } from "./writeResult";

/** The outcome of a write that is sent once. */
export type Outcome<T = never> =
  | { readonly kind: "applied"; readonly answer: HttpResponse }
  | ShownByProbe<T>
  | OutcomeUnknown<T>;

/** A write that is sent once, and the probe for it. */
export interface SingleWrite<C extends RequestContext, T> extends WriteRequest<C> {
  /** Omitted if the server does not show the write. */
  readonly probe?: Probe<C, T>;
  /** True if a late write would do harm, because it would change a successor of its object. */
  readonly isUnsafeIfLate?: boolean;
}

/**
 * Sends a write once. Probes for it if the response is inconclusive.
 * @throws ServiceError if the server rejected the write, or was not reached; NotSent if the read that it is based on is too old
 */
export async function writeOnce<C extends RequestContext, T = never>(
  context: C,
  { probe: look, isUnsafeIfLate = false, ...request }: SingleWrite<C, T>,
): Promise<Outcome<T>> {
  const result = await sendForResult(context, request);
  switch (result.kind) {
    case "applied":
      return result;
    case "unknown":
      if (look !== undefined) return probe(context, result, look, { isUnsafeIfLate });
      // Without a probe, the server's own error counts as its rejection.
      if (result.error.outcome === "serverError") throw result.error;
      return result;
    case "rejected":
      throw result.error;
    default:
      throw new NotSent("error" in result ? result.error : undefined);
  }
}

/** How the removal of an object differs from a plain request. */
export interface RemovalOptions extends Pick<WriteRequest<RequestContext>, "isAnswered"> {
  readonly body?: Json;
  readonly repeatWhile?: HttpRequest["repeatWhile"];
  /** True if a rejection means that there was nothing left to do. */
  isDoneAlready?(answer: HttpResponse): boolean;
  /** True if the object was deleted. By default, a read must prove it. */
  isGone?(context: ObjectHookContext): Promise<boolean>;
}

/**
 * Removes an object with one request. Probes after an inconclusive response, and after a response that the object was not
 * found.
 * @throws ServiceError if the server rejects the removal; OutcomeUnknownError if a probe does not show it.
 */
export async function removeOnce(
  context: ObjectHookContext,
  route: Route,
  address: Address,
  { body, repeatWhile, isDoneAlready, isAnswered, ...removal }: RemovalOptions = {},
): Promise<void> {
  const isGone = removal.isGone ?? (async (asking) => (await asking.observe(address)) === undefined);
  try {
    const outcome = await writeOnce<ObjectHookContext, undefined>(context, {
      route,
      address,
      send: (asking) =>
        send(asking, route, address, {
          nature: "write",
          ...(body !== undefined && { body }),
          ...(repeatWhile && { repeatWhile }),
        }),
      interpret: (answer) => (isDoneAlready?.(answer) ? "applied" : undefined),
      ...(isAnswered && { isAnswered }),
      probe: async (asking) => ({ isApplied: await isGone(asking), found: undefined }),
      isUnsafeIfLate: true,
    });
    if (outcome.kind === "unknown") throw unknownError(outcome);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    // The delete is done or rejected, so neither the deadline nor a cancel ends this read. If it fails, the 404 is the error.
    if (!(await isGone(probeContext(context)).catch(() => false))) throw error;
  }
}

/** The outcome of a request that is never sent twice: its response, or the reason why its outcome is unknown. */
export type SentOnce =
  | { readonly answer: HttpResponse; readonly lost?: undefined }
  | { readonly lost: ServiceError; readonly answer?: HttpResponse };

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
  const outcome = await writeOnce(context, {
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
    interpret: (answer) => {
      const isRejected = answer.status >= 400 && answer.status < 500;
      return isRejected || isOwnRefusal(context.connection.service, answer) ? "applied" : undefined;
    },
  });
  if (outcome.kind === "applied") return { answer: outcome.answer };
  const { error, answer } = outcome as OutcomeUnknown;
  return answer === undefined ? { lost: error } : { lost: error, answer };
}

/**
 * The result of a probe after a request whose response was lost. The probe has its own time limit. While the request may
 * still be on its way, the probe repeats until it finds the change.
 * @throws Error why the probe failed
 */
export async function probeAfter<C extends RequestContext, T>(
  context: C,
  lost: ServiceError,
  look: (context: C) => Promise<{ readonly isApplied: boolean; readonly found: T }>,
): Promise<T> {
  const result = resultOf(lost);
  if (result.kind !== "unknown") throw lost;
  const outcome = await probe<C, T>(context, result, look);
  if (outcome.kind === "shown") return outcome.found;
  if (outcome.probeError !== undefined) throw outcome.probeError;
  // A probe that succeeds has always found something, if only that nothing was done.
  return outcome.found as T;
}
