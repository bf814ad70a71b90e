import { appendFileSync } from "node:fs";
import { systemCode } from "./failure";

/** One attempt of one request, as a line of the log (requests/schema.json). Masked, and without headers and body. */
export interface RequestLine {
  /** When the attempt was sent. */
  readonly at: string;
  /** The resource: its URN if the engine provides it, otherwise its type and its id or name. */
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
      const why = systemCode(error) ?? "for no known reason";
      complain(
        `${LOG_VARIABLE}: ${JSON.stringify(file)} cannot be written (${why}); this process logs no more requests. ` +
          "Nothing else is touched by that.",
      );
    }
  };
}
