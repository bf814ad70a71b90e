import { randomBytes } from "node:crypto";

/** A trace that requests belong to (W3C Trace Context): who began it passes it to us, and we to the services. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the flags those that the standard gives a meaning: sampled, random. */
  readonly flags: number;
  /** What others keep beside it, passed on as it is. */
  readonly state?: string;
}

/** One request in a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What may stand in a header of that name, and as much as anybody must take. */
const STATE = /^[\t\x20-\x7e]{1,512}$/;

const KNOWN_FLAGS = 0b11;

/**
 * The trace that two headers, or two variables, name; undefined where they name none. A later version than the one
 * we know is read as far as this one goes, as the standard says.
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

/** The trace that an environment names. */
export function traceIn(env: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  return traceContext(env.TRACEPARENT, env.TRACESTATE);
}

/** A request of its own in a trace. */
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
