import { ServiceError } from "../http/errors";
import { type HttpResponse, isSuccess } from "../http/request";
import { NotSent } from "../http/retry";
import type { Address } from "../language/object";
import { type ExpectedResponse, isExpectedResponse, type Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { ignoredFields } from "./middleware";
import { errorFrom } from "./observe";
import { type OutcomeUnknown, OutcomeUnknownError } from "./probe";
import { send } from "./send";

/** The result of sending one write. */
export type WriteResult<Found = never> =
  /** The response proves that the server carried out the write. */
  | { readonly kind: "applied"; readonly answer: HttpResponse }
  /** Someone else wrote first, or the object to create exists. The server changed nothing. */
  | { readonly kind: "preconditionFailed"; readonly answer: HttpResponse }
  /** The server rejected the write, or was not reached. It changed nothing. */
  | { readonly kind: "rejected"; readonly error: ServiceError; readonly answer?: HttpResponse }
  /** The read that the write is based on was too old, perhaps after a wait for this reason. */
  | { readonly kind: "notSent"; readonly error?: ServiceError }
  | OutcomeUnknown<Found>;

/** One write request, and how to interpret its response. */
export interface WriteRequest<C extends RequestContext> {
  readonly route: Route;
  readonly address: Address;
  /** The effect of sending it twice; `write` by default. */
  readonly nature?: "write" | "single-use";
  /** Sends the write, once. */
  send(context: C): Promise<HttpResponse>;
  /** The result that a response means for this request, whatever its form. */
  interpret?(answer: HttpResponse): "applied" | "preconditionFailed" | undefined;
  /** True if a response of the documented form answers this write and not a different one. */
  isAnswered?(answer: HttpResponse): boolean;
  /** True if the caller handles fields that the server reports as ignored. Otherwise, the outcome is then unknown. */
  readonly handlesIgnoredFields?: boolean;
}

/** Sends a write once, and classifies its response. */
export async function sendForResult<C extends RequestContext>(
  context: C,
  request: WriteRequest<C>,
): Promise<WriteResult> {
  let answer: HttpResponse | undefined;
  try {
    answer = await request.send(context);
    const kind = request.interpret?.(answer);
    if (kind !== undefined) return { kind, answer };
    assertAnswered(context, request, answer);
    return { kind: "applied", answer };
  } catch (error) {
    return resultOf(withReason(context, request, error), answer);
  }
}

/** The error of a request that was not sent, with the last response to it as its reason. */
function withReason(
  context: RequestContext,
  { route, address, nature = "write" }: Sent,
  error: unknown,
): unknown {
  if (!(error instanceof NotSent) || error.last === undefined || error.last instanceof ServiceError)
    return error;
  return new NotSent(errorFrom(context, error.last, route, address, nature));
}

/**
 * The result of a write that failed with this error.
 * @throws the error if it says nothing about the write
 */
export function resultOf(error: unknown, answer?: HttpResponse): WriteResult {
  if (error instanceof NotSent)
    return { kind: "notSent", ...(error.last instanceof ServiceError && { error: error.last }) };
  // An object found in place of a single write is of no use to another write.
  if (error instanceof OutcomeUnknownError) return error.outcome as OutcomeUnknown<never>;
  if (!(error instanceof ServiceError)) throw error;
  const response = answer && { answer };
  if (error.outcome === "notApplied") return { kind: "rejected", error, ...response };
  return { kind: "unknown", verdict: "notProbed", error, ...response };
}

/**
 * Sends a write whose outcome the caller determines. Accepts the response only if it has the documented form.
 * @throws ServiceError for every other response, with an unknown outcome if the write may have been carried out.
 */
export async function sendWrite(
  context: RequestContext,
  route: Route,
  address: Address,
  { isAnswered, ...options }: Omit<Parameters<typeof send>[3], "nature"> & Pick<Sent, "isAnswered"> = {},
): Promise<HttpResponse> {
  const request = { route, address, ...(isAnswered && { isAnswered }) };
  try {
    const answer = await send(context, route, address, { nature: "write", ...options });
    assertAnswered(context, request, answer);
    return answer;
  } catch (error) {
    throw withReason(context, request, error);
  }
}

/** The documented response of this endpoint: the route's own, or the default of its service. */
export function answersOf({ expects, method }: Route, { connection }: RequestContext): ExpectedResponse {
  return expects ?? connection.service.expectedResponses[method] ?? "nothing";
}

/** A write request, for checking its response. */
type Sent = Omit<WriteRequest<RequestContext>, "send" | "interpret">;

/** @throws ServiceError if the response does not confirm the write. */
function assertAnswered(context: RequestContext, request: Sent, answer: HttpResponse): void {
  const { route, address, nature = "write" } = request;
  const event = whyUnconfirmed(context, request, answer);
  if (event === undefined) return;
  const unexpected = isSuccess(answer) ? ({ event, outcome: "unknown" } as const) : undefined;
  throw errorFrom(context, answer, route, address, nature, unexpected);
}

/** Why a response does not confirm a write, worded to follow "returned 200"; undefined if it does. */
function whyUnconfirmed(
  context: RequestContext,
  { route, isAnswered, handlesIgnoredFields = false }: Sent,
  answer: HttpResponse,
): string | undefined {
  if (!isDocumented(context, route, answer)) return "with a response that this endpoint does not define";
  if (isAnswered?.(answer) === false) return "with an object other than the written object";
  const ignored = handlesIgnoredFields ? [] : ignoredFields(answer);
  return ignored.length === 0 ? undefined : `with a warning that the server ignored ${ignored.join(", ")}`;
}

function isDocumented(context: RequestContext, route: Route, answer: HttpResponse): boolean {
  const documented = answersOf(route, context);
  // An endpoint without a response body sends one if it has a warning.
  const isWarning = documented === "nothing" && context.connection.service.warnsOnly?.(answer) === true;
  return (
    isExpectedResponse(documented, answer, context.connection.dialect.headers) ||
    (isWarning && isSuccess(answer))
  );
}
