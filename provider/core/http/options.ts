import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { Redactor } from "../../../packages/redact";
import type { ErrorKind } from "./errors";
import type { HttpResponse } from "./request";
import type { RequestLog } from "./requestLog";

/** The options of a client. */
export interface ClientOptions {
  /** The service's name, for messages. */
  readonly service: string;
  /** `https://host:port`, with a path if the service is mounted under one. */
  readonly address: string;
  /** Headers of every request, including the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** Masks errors, logs and warnings. The client adds the secrets that it reads in its other options and files. */
  readonly redactor?: Redactor;
  /** PEM files. `caFile` replaces the authorities that the machine trusts. */
  readonly tls?: {
    readonly caFile?: string;
    readonly clientCertFile?: string;
    readonly clientKeyFile?: string;
  };
  /** Milliseconds that one attempt may take. Default: 60,000. */
  readonly timeoutMs?: number;
  /** The maximum number of retries of a request. Default: 4. */
  readonly maxRetries?: number;
  /** The maximum size of a response, both as sent and decompressed. Default: 64 MiB. */
  readonly maxResponseBytes?: number;
  /** The maximum number of concurrent requests. Default: 16. */
  readonly maxConnections?: number;
  readonly userAgent: string;
  /** The environment in which the client looks up HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Default: the process's own. */
  readonly env?: NodeJS.ProcessEnv;
  readonly runtime?: Runtime;
  /** Receives the requests instead of the client's own connections. The caller that passes it closes it. */
  readonly dispatcher?: Dispatcher;
  /** Called once with each warning for the person who runs the program. */
  readonly warn?: (message: string) => void;
  /** Called for every attempt. */
  readonly log?: RequestLog | undefined;
  /** Reads the service's own request ID from a response's body. It takes precedence over the response header. */
  readonly requestIdIn?: (answer: Pick<HttpResponse, "json">) => unknown;
  /** The meaning of a response if its status does not determine it; for the log. */
  readonly errorKind?: (answer: HttpResponse) => ErrorKind | undefined;
}

/** The options, completed with the defaults. */
export type CompleteOptions = ReturnType<typeof withDefaults>;

/** Completes the options with the defaults. */
export function withDefaults(options: ClientOptions) {
  return {
    tls: {} as NonNullable<ClientOptions["tls"]>,
    redactor: new Redactor(),
    timeoutMs: 60_000,
    maxRetries: 4,
    maxResponseBytes: 64 * 2 ** 20,
    maxConnections: 16,
    env: process.env,
    runtime: systemRuntime,
    warn: () => {},
    ...options,
  };
}

/** Clock, timers and random numbers. Tests inject their own, so that they need no real time. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after this many milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Runs a callback after this many milliseconds, unless the returned function is called first. Does not keep the process
   * alive.
   */
  after(ms: number, run: () => void): () => void;
  /** At least 0, less than 1. */
  random(): number;
}

/** The longest delay of a Node timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's own clock, timers and random numbers. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal && { signal });
  },
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER)).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
