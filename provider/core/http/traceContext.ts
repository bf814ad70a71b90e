import { randomBytes } from "node:crypto";

/**
 * A trace that requests belong to (W3C Trace Context). Its initiator passes it to Quarterdeck, which passes it to the
 * servers.
 */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Only the flags that the standard defines: sampled, random. */
  readonly flags: number;
  /** The state of other tracing systems, passed on unchanged. */
  readonly state?: string;
}

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

/** A new span for one request in a trace. */
export function spanIn({ traceId, flags, state }: TraceContext): Span {
  const spanId = randomBytes(8).toString("hex");
  const two = flags.toString(16).padStart(2, "0");
  return {
    traceId,
    spanId,
    headers: {
      traceparent: `00-${traceId}-${spanId}-${two}`,
      ...(state !== undefined && { tracestate: state }),
    },
  };
}
