import { randomUUID } from "node:crypto";
import type { SecretSupplier } from "../../../packages/redact";
import type { Json } from "../value/json";
import type { RequestIds } from "./errors";

/** A warning from the service in a successful response. */
export interface ServiceWarning {
  readonly text: string;
  /** The members and parameters of the request, by wire name, that the service reports as ignored or changed. */
  readonly notAccepted?: readonly string[];
}

/**
 * Reads the warnings in standard HTTP headers: `Warning` (RFC 9111, section 5.5), `Deprecation` (RFC 9745) and `Sunset` (RFC
 * 8594). Skips the warnings of caches (codes 1xx), which are not about the service.
 */
export function warningsInHeaders({ headers }: Pick<HttpResponse, "headers">): ServiceWarning[] {
  const { warning = "", deprecation, sunset } = headers;
  const own = [...warning.matchAll(/\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)].flatMap(
    ([, code = "", text = ""]) => (code.startsWith("1") ? [] : [text.replace(/\\(.)/g, "$1")]),
  );
  const since = deprecation === undefined ? undefined : dateIn(deprecation);
  const deprecated =
    deprecation === undefined
      ? []
      : [`this endpoint is deprecated${since === undefined ? "" : ` since ${since}`}`];
  const ends = sunset === undefined || sunset === "" ? [] : [`this endpoint ends on ${sunset}`];
  return [...own, ...deprecated, ...ends].map((text) => ({ text }));
}

/** The date of a structured field, `@1688169599`; undefined if the field has no date, as in drafts of the RFC. */
function dateIn(field: string): string | undefined {
  const [, seconds] = /^@(-?\d{1,11})$/.exec(field.trim()) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}

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

/** The resource and the trace that requests are sent for, as far as a bridge knows them. */
export interface RequestOrigin {
  /** The resource, by its URN or by type and ID. */
  readonly object?: string;
  /** The trace of the call that the requests are sent for. Without it, the trace of the environment applies. */
  readonly trace?: TraceContext | undefined;
}

/** What a request belongs to. The request log contains it, with the attempt that the client adds. */
export interface Label extends RequestOrigin {
  /** The definition's token, `scheduler:Job`. */
  readonly definition: string;
  readonly step: string;
}

/**
 * The attempts of one write over several calls of the client. The caller of a write that is based on a read keeps them, because
 * it reads the object again between two attempts.
 */
export class Attempts {
  /** One ID for all attempts, so that the server's log shows that they belong together. */
  readonly id = randomUUID();
  /** The number of attempts that were sent. */
  count = 0;
  /**
   * The number of retries that the client's maximum limits. Does not count waits that the specification names. Does not count
   * 429s while the server accepts other requests either: that is contention, and every request gets its turn.
   */
  retries = 0;
  /** The number of requests that the server had accepted when its rate limit last rejected this one. */
  acceptedBefore = 0;
  /** How often in a row the read was too old when the request's turn came. */
  late = 0;

  /** @param startedAt when the first attempt was prepared, in milliseconds since the epoch */
  constructor(readonly startedAt: number) {}
}

/**
 * Which retries are safe. A *read* may be repeated. A *write* is repeated only if the response or the failure to connect
 * proves that the server did nothing. A *single-use* request is repeated only after a 429 or if no connection was made.
 */
export type Nature = "read" | "write" | "single-use";

/** One request, before the client adds address, token and time budget. */
export interface HttpRequest {
  readonly label: Label;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  /** Starts with "/". Its segments are already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Another server of the same service, instead of the server at the configured address: `https://host:port`. */
  readonly server?: string;
  /** The path starts at the server's root and not under the service's prefix (a discovery document). */
  readonly isAtRoot?: boolean;
  /** Reads the copy in the place that the request names, and not the object where it is written. */
  readonly isOfCopy?: boolean;
  /** The request carries its own credentials, so that no token is added. */
  readonly skipsToken?: boolean;
  /**
   * A URL from a response, to which the request is sent exactly, without the headers and the client certificate of the
   * connection. Messages name the path instead.
   */
  readonly url?: string;
  /** The file that is the body of a request to such a URL. It is read while it is sent. */
  readonly file?: { readonly path: string; readonly sha256: string; readonly size: number };
  /** A header with several values is sent once per value. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Json;
  /** Members of the body that were read and are sent back unchanged. If a server ignores them, no warning is reported. */
  readonly sentBack?: readonly string[];
  /** Default: `application/json`. Sent only with a body. */
  readonly contentType?: string;
  readonly nature: Nature;
  /** The request changes an object that is on record. It precedes waiting requests that start something new. */
  readonly followsRead?: boolean;
  /**
   * The time, in milliseconds by the client's clock, from which the read is too old (after a rate limit, a queue, a login or an
   * election). The client then does not send the write, and never sends it again by itself: it throws NotSent, and the caller
   * reads again.
   */
  readonly freshUntil?: number;
  /** The attempts of the same write so far; set together with `freshUntil`. */
  readonly attempts?: Attempts;
  /** For waits that the specification names: the request is repeated while this returns true, until the deadline. */
  readonly repeatWhile?: (answer: HttpResponse) => boolean;
  /** Milliseconds since the epoch by the client's clock. The client stops after it. */
  readonly deadline?: number;
  /**
   * A time limit in milliseconds from when the gate admits the request, instead of a deadline. Set for a probe after an
   * unknown outcome, which precedes all other waiting requests.
   */
  readonly grace?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds that one attempt may take, if this differs from the client's setting (a blocking query). */
  readonly timeoutMs?: number;
  /**
   * Default: `json`. Then a 2xx response that is not JSON is an UnexpectedAnswer. `digest` replaces the text of a 2xx response by
   * the SHA-256 of its body, which may have any size.
   */
  readonly expect?: "json" | "text" | "digest";
  /** Secrets that must not appear in errors and logs, in addition to the client's own; usually the redactor of the step. */
  readonly secrets?: SecretSupplier;
}

/** A response of any status. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. The values of a repeated header are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined if the text is empty or not JSON. */
  readonly json: Json | undefined;
  /** The service's warnings in a successful response. */
  readonly warnings?: readonly ServiceWarning[];
  /** How many attempts the request took. */
  readonly attempts: number;
  /** The IDs of the request. The client sets them on every response. */
  readonly ids?: RequestIds;
  /** The URL that responded, without its query; after redirects, the last URL. Not masked. */
  readonly url?: string;
  /** Masks the secrets of the client and of the request in a text that quotes this response. */
  readonly mask?: (text: string) => string;
}

/** True if the status reports that the server carried out the request. */
export function isSuccess({ status }: Pick<HttpResponse, "status">): boolean {
  return status >= 200 && status < 300;
}

/** A text that quotes a response, with the secrets of the client and of the request masked. */
export function maskText({ mask }: Pick<HttpResponse, "mask">, text: string): string {
  return mask?.(text) ?? text;
}
