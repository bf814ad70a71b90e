import { appendFileSync } from "node:fs";
import { systemCode } from "./failure";

/** One try of one request, as a line of the log has it (requests/schema.json). Masked; no header and no body. */
export interface RequestLine {
  /** When it was sent. */
  readonly at: string;
  /** The resource: its URN where the engine names it, else its type and its id or name. */
  readonly object?: string;
  /** The resource's type or the function: `scheduler:Job`. */
  readonly definition: string;
  readonly step: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly method: string;
  readonly service: string;
  /** Without query. */
  readonly path: string;
  /** Of the answer, where one came. */
  readonly status?: number;
  /** Milliseconds from when it was sent until its answer was there. */
  readonly ms: number;
  /** Milliseconds that it waited before: for its turn, for a rate limit, between two tries. */
  readonly waitedMs: number;
  readonly requestId: string;
  readonly serviceRequestId?: string;
  /** The class of what this try came to, where that is no success: `Forbidden`, `TimedOut`. */
  readonly error?: string;
  /** The trace that it belongs to, and what it is called there. */
  readonly traceId?: string;
  readonly spanId?: string;
}

/** Is told every try. */
export type RequestLog = (line: RequestLine) => void;

/** The variable that names the file. */
export const LOG_VARIABLE = "QUARTERDECK_LOG";

/**
 * A log in a file, which is appended to. Each line is one write at the file's end, so that several processes may share it,
 * and a file that is moved away is made anew. Only its owner may read a file that is made here.
 * @param complain is told once that nothing can be written, which is no failure of anything
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
