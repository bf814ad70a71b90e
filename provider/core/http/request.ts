import type { SecretSource } from "../../../packages/redact";
import type { Json } from "../value/json";
import type { RequestIds } from "./errors";
import type { TraceContext } from "./traceContext";
import { AdvisedError, edited } from "./waysOn";

/** What a service warns of in an answer that is a success. */
export interface ServiceWarning {
  readonly text: string;
  /** The members and parameters of the request, by the wire's names, that it says it did not take as they were sent. */
  readonly notTaken?: readonly string[];
}

/**
 * What HTTP's own headers warn of: `Warning` (RFC 9111, section 5.5), `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 * Warnings of caches (codes 1xx) say nothing of the service.
 */
export function warningsInHeaders({
  headers,
}: {
  readonly headers: Readonly<Record<string, string>>;
}): ServiceWarning[] {
  const { warning = "", deprecation, sunset } = headers;
  const own = [...warning.matchAll(/\b(\d{3}) \S+ "((?:[^"\\]|\\.)*)"/g)].flatMap(
    ([, code = "", text = ""]) => (code.startsWith("1") ? [] : [text.replace(/\\(.)/g, "$1")]),
  );
  const since = deprecation === undefined ? undefined : dateIn(deprecation);
  const deprecated =
    deprecation === undefined
      ? []
      : [`this endpoint is deprecated${since === undefined ? "" : ` since ${since}`}`];
  const ends = sunset === undefined || sunset === "" ? [] : [`this endpoint is said to end at ${sunset}`];
  return [...own, ...deprecated, ...ends].map((text) => ({ text }));
}

/** The date of a structured field, `@1688169599`; undefined where it says no date, as drafts of the RFC did. */
function dateIn(field: string): string | undefined {
  const [, seconds] = /^@(-?\d{1,11})$/.exec(field.trim()) ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}

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

/**
 * Why a name can be no segment of a path, as "what it must not be, and why"; undefined where it can. Clients and servers
 * drop "", "." and ".." from a path however they are encoded.
 */
export function whyNoSegment(name: string): string | undefined {
  if (name === "") return "must not be empty: it stands in a path";
  if (!name.isWellFormed()) return "must not hold half of a surrogate pair: that is no character";
  return isDots(name) ? `must not be ${JSON.stringify(name)}: in a path it would lead elsewhere` : undefined;
}

/**
 * The same for a name that people write, of what is made or asked for. Servers clean a path once they have decoded it, so that
 * encoded slashes count too; and they refuse one that holds what cannot be printed.
 */
export function whyNoName(name: string): string | undefined {
  const parts = name.split("/");
  const [unprintable] = UNPRINTABLE.exec(name) ?? [];
  const why = whyNoSegment(name);
  if (why !== undefined) return why;
  if (parts.some(isDots))
    return 'must not hold "." or ".." between slashes: in a path they would lead elsewhere';
  if (parts.slice(0, -1).includes(""))
    return "must neither begin with a slash nor hold two in a row: servers drop them from a path";
  return unprintable === undefined
    ? undefined
    : `must not hold ${codePoint(unprintable)}, which cannot be printed: servers refuse it in a path`;
}

function isDots(part: string): boolean {
  return part === "." || part === "..";
}

/** Everything but letters, marks, numbers, punctuation, symbols and the plain space. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** `U+200B`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
