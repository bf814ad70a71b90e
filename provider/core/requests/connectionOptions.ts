import type { Client, ClientOptions, Runtime } from "../http/client";
import type { RequestLog } from "../http/requestLog";

/** What a process hands to its connections. */
export interface ConnectionOptions {
  readonly runtime: Runtime;
  readonly userAgent: string;
  readonly warn: (message: string) => void;
  /** Shows a person which server is used, and which setting or variable names it; omitted, nothing is shown. */
  readonly inform?: (message: string) => void;
  /** Is told every try of every request. */
  readonly log?: RequestLog | undefined;
  /** Has something done before the process ends; nothing is, where nothing is said. */
  readonly beforeEnd?: (deed: () => Promise<unknown>) => void;
  /** Makes the clients; undici's where nothing else is said. */
  readonly createClient?: (options: ClientOptions) => Client;
}
