import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Redactor } from "../../../packages/redact";
import { kindOfStatus } from "./describe";
import { classOf, type ErrorKind, ServiceError } from "./errors";
import { type HttpRequest, type HttpResponse, isSuccess, type TraceContext } from "./request";

/** One attempt of one request, as a line of the log (requests/schema.json). Masked, and without headers and body. */
export interface RequestLine {
  /** When the attempt was sent. */
  readonly at: string;
  /** The resource: its URN if the engine provides it, otherwise its type and its ID or name. */
  readonly object?: string;
  /** The resource's type or the function: `scheduler:Job`. */
  readonly definition: string;
  readonly step: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly method: string;
  readonly service: string;
  /** Without the query. */
  readonly path: string;
  /** The status of the response, if one arrived. */
  readonly status?: number;
  /** Milliseconds from sending until the response arrived or the attempt failed. */
  readonly ms: number;
  /** Milliseconds of waiting before: for a slot, for a rate limit, between two attempts. */
  readonly waitedMs: number;
  readonly requestId: string;
  readonly serviceRequestId?: string;
  /** The error class if the attempt failed: `Forbidden`, `TimedOut`. */
  readonly error?: string;
  /** The trace of the attempt, and its span in that trace. */
  readonly traceId?: string;
  readonly spanId?: string;
}

/** Receives every attempt. */
export type RequestLog = (line: RequestLine) => void;

/** The environment variable that names the log file. */
export const LOG_VARIABLE = "QUARTERDECK_LOG";

/**
 * A log that appends to a file. Each line is one write at the file's end, so that several processes may share the file. If
 * someone moves the file, the next line creates a new file. Only the owner can read a file created here.
 * @param complain called once if the file cannot be written; this causes no other failure
 */
export function logTo(file: string, complain: (text: string) => void): RequestLog {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      isBroken = true;
      const { code: why = "for an unknown reason" } = error as NodeJS.ErrnoException;
      complain(
        `${LOG_VARIABLE}: ${JSON.stringify(file)} cannot be written (${why}); this process stops logging requests. ` +
          "Nothing else is affected.",
      );
    }
  };
}

/** One attempt at a request. */
export interface Attempt {
  readonly request: HttpRequest;
  /** 1 for the first. */
  readonly number: number;
  readonly id: string;
  /** The attempt's span in its trace. */
  readonly span: Span | undefined;
  readonly redactor: Redactor;
}

/**
 * One attempt as a line of the log, with external text masked.
 * @param times when it started to wait, was sent and ended, in milliseconds since the epoch
 */
export function attemptLine(
  { request, number, id, span, redactor }: Attempt,
  outcome: HttpResponse | ServiceError,
  { service, errorKind }: { readonly service: string; readonly errorKind?: KindOf | undefined },
  [waitedSince, sentAt, endedAt]: readonly [number, number, number],
): RequestLine {
  const { definition, step, object } = request.label;
  const { status, ids } = outcome;
  const error = outcome instanceof ServiceError ? outcome.name : classOfAnswer(outcome, errorKind);
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

function classOfAnswer(answer: HttpResponse, errorKind: KindOf | undefined): string | undefined {
  const kind = errorKind?.(answer) ?? (isSuccess(answer) ? undefined : kindOfStatus(answer.status));
  return kind && classOf(kind);
}

type KindOf = (answer: HttpResponse) => ErrorKind | undefined;

/** One request in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The valid content of the `tracestate` header, up to the length that every receiver must accept. */
const STATE = /^[\t\x20-\x7e]{1,512}$/;

const KNOWN_FLAGS = 0b11;

/**
 * Reads a trace from two headers or two variables; undefined if they contain no trace. As the standard requires, a later
 * version is read as far as the known version defines it.
 */
export function traceContext(parent: string | undefined, state?: string): TraceContext | undefined {
  const [, version, traceId = "", parentId = "", flags = "", rest] = PARENT.exec(parent?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  const isSent = state !== undefined && STATE.test(state) && state.trim() !== "";
  return {
    traceId,
    flags: Number.parseInt(flags, 16) & KNOWN_FLAGS,
    ...(isSent && { state: state.trim() }),
  };
}

/** The trace in an environment. */
export function traceIn(env: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  return traceContext(env.TRACEPARENT, env.TRACESTATE);
}

/** A new span for one request in a trace; undefined without a trace. */
export function newSpan(trace: TraceContext | undefined): Span | undefined {
  if (trace === undefined) return undefined;
  const { traceId, flags, state } = trace;
  const spanId = randomBytes(8).toString("hex");
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
  return { traceId, spanId, headers: { traceparent, ...(state !== undefined && { tracestate: state }) } };
}
