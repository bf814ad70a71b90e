import { kindOfStatus } from "./answerErrors";
import { classOf, ServiceError } from "./errors";
import { explain } from "./explain";
import { ExchangeFailure } from "./failure";
import type { CompleteOptions } from "./options";
import type { HttpAnswer } from "./request";
import type { RequestLine } from "./requestLog";
import type { Attempt } from "./sender";

/** When an attempt started to wait, was sent and ended, in milliseconds since the epoch. */
export interface AttemptTimes {
  readonly waitedSince: number;
  readonly sentAt: number;
  readonly endedAt: number;
}

/** One attempt as a line of the log, with external text masked. */
export function attemptLine(
  { request, number, id, span, redactor }: Attempt,
  outcome: HttpAnswer | ExchangeFailure | ServiceError,
  { service, errorKind }: Pick<CompleteOptions, "service" | "errorKind">,
  { waitedSince, sentAt, endedAt }: AttemptTimes,
): RequestLine {
  const { definition, step, object } = request.label;
  const { status, ids } = outcome instanceof ExchangeFailure ? NO_ANSWER : outcome;
  const error = classIn(outcome, request.nature, errorKind);
  return {
    at: new Date(sentAt).toISOString(),
    ...(object !== undefined && { object: redactor.mask(object) }),
    definition,
    step,
    attempt: number,
    method: request.method,
    service,
    path: redactor.mask(request.path),
    ...(status !== undefined && { status }),
    ms: endedAt - sentAt,
    waitedMs: sentAt - waitedSince,
    requestId: id,
    ...(ids?.service !== undefined && { serviceRequestId: ids.service }),
    ...(error !== undefined && { error }),
    ...(span && { traceId: span.traceId, spanId: span.spanId }),
  };
}

const NO_ANSWER = { status: undefined, ids: undefined };

/** An empty context: the log needs only the kind of a failure, not its explanation. */
const NOWHERE = { origin: "", timeoutMs: 0, maxResponseBytes: 0, proxy: undefined, ownCertificate: false };

function classIn(
  outcome: HttpAnswer | ExchangeFailure | ServiceError,
  nature: Attempt["request"]["nature"],
  errorKind: CompleteOptions["errorKind"],
): string | undefined {
  if (outcome instanceof ServiceError) return outcome.name;
  if (outcome instanceof ExchangeFailure) return classOf(explain(nature, outcome, NOWHERE).kind);
  const isSuccess = outcome.status >= 200 && outcome.status < 300;
  const kind = errorKind?.(outcome) ?? (isSuccess ? undefined : kindOfStatus(outcome.status));
  return kind && classOf(kind);
}
