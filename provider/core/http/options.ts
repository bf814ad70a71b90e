import type { Dispatcher } from "undici";
import { Redactor } from "../../../packages/redact";
import type { ErrorKind } from "./errors";
import type { HttpAnswer } from "./request";
import type { RequestLog } from "./requestLog";
import { type Runtime, systemRuntime } from "./timeBudget";

/** What a client is made of. */
export interface ClientOptions {
  /** The service's name, for messages. */
  readonly service: string;
  /** `https://host:port`, with a path where the service is mounted below one. */
  readonly address: string;
  /** Headers of every request, the token among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Masks errors, logs and warnings. The client adds the secrets that it reads in its other options and files. */
  readonly redactor?: Redactor;
  /** PEM files. The authority's takes the place of the authorities that the machine trusts. */
  readonly tls?: {
    readonly caFile?: string;
    readonly clientCertFile?: string;
    readonly clientKeyFile?: string;
  };
  /** Milliseconds that one attempt may take; 60,000 where nothing else is said. */
  readonly timeoutMs?: number;
  /** How often a request is repeated at most; 4 where nothing else is said. */
  readonly maxRetries?: number;
  /** The cap on an answer's size, both as sent and decompressed; 64 MiB where nothing else is said. */
  readonly maxResponseBytes?: number;
  /** How many requests are under way at once; 16 where nothing else is said. */
  readonly maxConnections?: number;
  readonly userAgent: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up; the process's own where nothing else is said. */
  readonly env?: NodeJS.ProcessEnv;
  readonly runtime?: Runtime;
  /** Where requests go in place of connections of its own; whoever hands it in closes it. */
  readonly dispatcher?: Dispatcher;
  /** Told what the person who runs the program should know, once. */
  readonly warn?: (message: string) => void;
  /** Told every attempt. */
  readonly log?: RequestLog | undefined;
  /** The service's own id of a request, as an answer says it beside the header of that name. */
  readonly requestIdIn?: (answer: Pick<HttpAnswer, "json">) => unknown;
  /** What an answer means, where its status does not say it; for the log. */
  readonly errorKind?: (answer: HttpAnswer) => ErrorKind | undefined;
}

/** Options with a value for everything that has a default. */
export type CompleteOptions = Required<Omit<ClientOptions, WithoutDefault>> &
  Pick<ClientOptions, WithoutDefault>;
type WithoutDefault = "log" | "dispatcher" | "requestIdIn" | "errorKind";

/** The options, completed with the defaults. */
export function withDefaults(options: ClientOptions): CompleteOptions {
  return {
    tls: {},
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
