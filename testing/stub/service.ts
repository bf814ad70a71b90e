import type { IncomingHttpHeaders } from "node:http";
import type { StubClock } from "./clock";

/** The four mock servers, by their names in the Pulumi configuration. */
export type ServiceName = "workspaces" | "scheduler" | "secrets" | "mesh";

/** The four mock servers, in the order of the specification. */
export const SERVICE_NAMES = ["workspaces", "scheduler", "secrets", "mesh"] as const satisfies ServiceName[];

/** One request as a service sees it: routed, with its complete body. */
export interface StubRequest {
  /** The verb as sent, including `LIST`. */
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The route's parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; throws a {@link BadRequest}, which the service formats as its own error. */
  json(): unknown;
  /** Milliseconds since the epoch by the mock server's clock, which tests can advance. */
  readonly now: number;
  /** The same clock, for a response that waits (a blocking query). */
  readonly clock: StubClock;
  /** Aborted when the caller disconnects; a waiting response ends then. */
  readonly signal: AbortSignal;
  /** True if a fault requests a response from the state before the latest write. */
  readonly stale: boolean;
}

/** A service's response: an object is sent as JSON, a string or bytes unchanged. */
export interface StubResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One endpoint. `section` names its heading in the specification. */
export interface StubRoute {
  readonly method: string;
  /** A route pattern: `/v1/job/:jobId`; a last segment `:name*` matches the rest of the path. */
  readonly path: string;
  readonly section: string;
  handle(request: StubRequest): StubResponse | Promise<StubResponse>;
}

/** One mock server: its routes, its response if none matches, and its state. */
export interface StubService {
  readonly name: ServiceName;
  /** The current names: the product's (`real`), or the specification's (`neutral`). */
  readonly dialect: "neutral" | "real";
  readonly routes: readonly StubRoute[];
  /** The smallest body in bytes that is compressed for a caller that accepts it. Default: 1024. */
  readonly compressesFrom?: number;
  /** The response if no route matches (the product's own not-found). */
  notFound(request: Omit<StubRequest, "params">): StubResponse;
  /** The response to a body that is not JSON. */
  badRequest(message: string): StubResponse;
  /** Changes the named switches from now on; the others keep their values. */
  configure(switches: Readonly<Record<string, unknown>>): void;
  /** Adds a seed to the service's state; each service's `Seed` lists the possible members. */
  seed(seed: unknown, now?: number): void;
  /** The complete state except the tokens, as plain data. */
  dump(): unknown;
  /** Resets the service to its initial state, except its current tokens. */
  reset(): void;
}

/** An unreadable body; each service formats it as its own error. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}
