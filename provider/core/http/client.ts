import type { HttpAnswer, HttpRequest } from "./request";
import type { Runtime } from "./runtime";

export type { Runtime } from "./runtime";

/** One way to one service. */
export interface Client {
  /**
   * Sends a request and returns the answer of any status, after the retries that its nature allows.
   * @throws Unreachable, UnclearAnswer, TimedOut, ConnectionLost, UnexpectedAnswer or Cancelled; nothing else.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Lets go of the connections, once what is under way has ended. */
  close(): Promise<void>;
}

/** What a client is made of. */
export interface ClientOptions {
  /** The service's name, for messages. */
  readonly service: string;
  /** `https://host:port`, with a path where the service is mounted below one. */
  readonly address: string;
  /** Headers of every request, the token among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must stand in no error, trace or warning. */
  readonly secrets: readonly string[];
  readonly tls?: {
    readonly caFile?: string;
    readonly clientCertFile?: string;
    readonly clientKeyFile?: string;
  };
  /** Milliseconds that one attempt may take; 60,000 where nothing else is said. */
  readonly timeoutMs?: number;
  /** How often a request is repeated at most; 4 where nothing else is said. */
  readonly maxRetries?: number;
  /** The cap on an answer's size, as sent and decompressed; 64 MiB where nothing else is said. */
  readonly maxResponseBytes?: number;
  /** How many requests are under way at once; 16 where nothing else is said. */
  readonly maxConnections?: number;
  readonly userAgent: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up; the process's own where nothing else is said. */
  readonly env?: NodeJS.ProcessEnv;
  readonly runtime?: Runtime;
  readonly warn?: (message: string) => void;
  readonly trace?: (line: string) => void;
}

/** Makes a client. Nothing is loaded, read or connected before the first request. */
export function createClient(_options: ClientOptions): Client {
  throw new Error("written next");
}
