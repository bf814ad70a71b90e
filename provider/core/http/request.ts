import type { SecretSource } from "../../../packages/redact";
import type { Json } from "../value/json";
import type { RequestIds } from "./ids";
import { whyNoSegment } from "./segment";
import type { TraceContext } from "./traceContext";
import type { ServiceWarning } from "./warnings";
import { AdvisedError, edited } from "./waysOn";

/** On whose behalf requests are sent, as far as a bridge knows it. */
export interface Behalf {
  /** The resource: by its URN, or by type and id. */
  readonly object?: string;
  /** The trace of the call that they are sent for, where that has one; the environment's else. */
  readonly trace?: TraceContext | undefined;
}

/** What a request belongs to: it stands in the log of requests, with the attempt that the client adds. */
export interface Label extends Behalf {
  /** The definition's token, `scheduler:Job`. */
  readonly definition: string;
  readonly step: string;
}

/** One request, before the client adds address, token and time budget. */
export interface HttpRequest {
  readonly label: Label;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  /** Begins with "/"; its segments are already encoded, see {@link path}. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Another server of the same service, in place of the one at the configured address: `https://host:port`. */
  readonly server?: string;
  /** The path begins at the server's root, and not under the service's prefix (a discovery document). */
  readonly isAtRoot?: boolean;
  /** It is about the copy that the place holds which it names, and not about the object where it is written. */
  readonly isOfCopy?: boolean;
  /** It brings what proves who sends it: no token is added. */
  readonly bringsToken?: boolean;
  /** A header of several values is sent as often. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Json;
  /** Members of the body that were read and go back unchanged: a server that ignores them is no reason for a warning. */
  readonly sentBack?: readonly string[];
  /** `application/json` where nothing else is said; sent only with a body. */
  readonly contentType?: string;
  /**
   * What a repetition could do. A *read* may be repeated. A *write* is repeated only where the answer proves
   * that nothing happened. A *single-use* request only on 429, or where no connection came about.
   */
  readonly nature: "read" | "write" | "single-use";
  /** What it changes was looked at just before: of requests that wait it goes before those that begin something. */
  readonly isAfterLook?: boolean;
  /** Waits that the specification names: the request is repeated while this holds, until the deadline. */
  readonly repeatWhile?: (answer: HttpAnswer) => boolean;
  /**
   * Asked before it is sent again, when others may have come in between: it throws what forbids it. Where it cannot be
   * answered (a ServiceError), the request is not sent again either.
   */
  readonly beforeAgain?: (() => Promise<void>) | undefined;
  /**
   * When what it changes was looked at last, in milliseconds by the client's clock. Where that is long ago by the time at which
   * its turn comes (a rate limit, a crowd, a login, an election), `beforeAgain` is asked first.
   */
  readonly lookedAt?: (() => number) | undefined;
  /** Milliseconds since the epoch by the client's clock; nothing goes on after it. */
  readonly deadline?: number;
  /**
   * Milliseconds from when it is let through, in place of a deadline: of a look after an unclear write, which goes before
   * all other requests that wait.
   */
  readonly grace?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds that one attempt may take, where it is another time than the client's (a blocking query). */
  readonly timeoutMs?: number;
  /** `json` where nothing else is said: then a 2xx answer that is no JSON is an UnexpectedAnswer. */
  readonly expect?: "json" | "text";
  /** What must stand in no error and no log, beside the client's own secrets: mostly the redactor of the step. */
  readonly secrets?: SecretSource;
}

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; a header that came several times is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined where the text is empty or no JSON. */
  readonly json: Json | undefined;
  /** What the service warns of in it, where it is a success. */
  readonly warnings?: readonly ServiceWarning[];
  /** How many requests it took. */
  readonly attempts: number;
  /** By what the request is known; the client says it of every answer. */
  readonly ids?: RequestIds;
  /** What was answered, without its query: after redirects the last one. Not masked. */
  readonly url?: string;
  /** Masks the secrets of the client and of the request in a text that quotes this answer. */
  readonly mask?: (text: string) => string;
}

/** A name that can be no path segment. */
export class InvalidSegment extends AdvisedError {
  override readonly name = "InvalidSegment";
}

/**
 * Builds a path from literal parts and encoded segments, so that no value can change the route:
 * path`/jobs/${id}`.
 * @throws {@link InvalidSegment} for what cannot stand in a path ({@link whyNoSegment}).
 */
export function path(strings: TemplateStringsArray, ...segments: readonly string[]): string {
  return strings
    .map((literal, index) => literal + (index < segments.length ? encoded(segments[index] ?? "") : ""))
    .join("");
}

function encoded(segment: string): string {
  const why = whyNoSegment(segment);
  if (why !== undefined)
    throw new InvalidSegment(`the name ${JSON.stringify(segment)} ${why}.`, [
      edited("correct it where it is written"),
      edited("where no program writes it, restore the stack from an earlier export (pulumi stack history)"),
    ]);
  return encodeURIComponent(segment);
}
