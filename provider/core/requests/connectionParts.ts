import type { Redactor } from "../../../packages/redact";
import type { Client } from "../http/client";
import type { ClientOptions, Runtime } from "../http/options";
import type { RequestLog } from "../http/requestLog";
import type { Dialect, Service, Settings } from "../language/service";
import type { Configuration } from "./given";

/** The options that a process passes to its connections. */
export interface ConnectionOptions {
  readonly runtime: Runtime;
  readonly userAgent: string;
  readonly warn: (message: string) => void;
  /** Shows which server is used, and which setting or variable names it. If omitted, nothing is shown. */
  readonly inform?: (message: string) => void;
  /** Receives every attempt of every request. */
  readonly log?: RequestLog | undefined;
  /** Registers a function to run before the process ends. If omitted, nothing runs. */
  readonly beforeEnd?: (task: () => Promise<unknown>) => void;
  /** Creates the clients. The default is undici's client. */
  readonly createClient?: (options: ClientOptions) => Client;
}

/** The parts of a connection. */
export interface ConnectionParts {
  readonly service: Service;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly configuration: Configuration;
  readonly options: ConnectionOptions;
  /** The configuration key of the settings. */
  readonly key: string;
  /** Receives the secrets that become known while requests are sent, such as tokens. */
  readonly redactor: Redactor;
}
