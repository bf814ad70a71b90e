import type { IncomingHttpHeaders } from "node:http";
import type { StubClock } from "./clock";

/** The four control planes, by the names that the Pulumi configuration gives them. */
export type ServiceName = "workspaces" | "scheduler" | "secrets" | "mesh";

/** The four control planes, in the order of the specification. */
export const SERVICE_NAMES = ["workspaces", "scheduler", "secrets", "mesh"] as const satisfies ServiceName[];

/** One request as a stub service sees it: routed, with its body read whole. */
export interface StubRequest {
  /** The verb as sent, `LIST` included. */
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The route's parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; throws a {@link BadRequest} that the service words in its own error shape. */
  json(): unknown;
  /** Milliseconds since the epoch by the stub's clock, which tests can move. */
  readonly now: number;
  /** The same clock, for an answer that waits (a blocking query). */
  readonly clock: StubClock;
  /** Aborted when the caller has gone; an answer that waits ends with it. */
  readonly signal: AbortSignal;
  /** True where a fault asks for an answer from before the latest write. */
  readonly stale: boolean;
}

/** What a stub service answers: an object is sent as JSON, a string as it stands. */
export interface StubResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One endpoint. `section` names its heading in the specification. */
export interface StubRoute {
  readonly method: string;
  /** A route pattern: `/v1/job/:jobId`; a last segment `:name*` takes the rest of the path. */
  readonly path: string;
  readonly section: string;
  handle(request: StubRequest): StubResponse | Promise<StubResponse>;
}

/** One control plane: its routes, what it answers where none matches, and how it starts afresh. */
export interface StubService {
  readonly name: ServiceName;
  /** The names that it uses now: the product's (`real`), or the specification's (`neutral`). */
  readonly dialect: "neutral" | "real";
  readonly routes: readonly StubRoute[];
  /** From how many bytes on a body is compressed for a caller that takes that. Default: 1024. */
  readonly compressesFrom?: number;
  /** The answer where no route matches (the real product's own not-found). */
  notFound(request: Omit<StubRequest, "params">): StubResponse;
  /** The answer to a body that is not JSON. */
  badRequest(message: string): StubResponse;
  /** Turns switches from here on; what is not named stays. */
  configure(switches: Readonly<Record<string, unknown>>): void;
  /** Adds to what the service knows; each service says what can be given in its `Seed`. */
  seed(seed: unknown, now?: number): void;
  /** Everything that the service knows but its tokens, as plain data. */
  dump(): unknown;
  /** Back to how it started, with the tokens it has by now. */
  reset(): void;
}

/** A body that cannot be read; each service words it in its own error shape. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}
