import { Gate } from "./gate";
import { type ClientOptions, withDefaults } from "./options";
import type { HttpAnswer, HttpRequest } from "./request";
import { sendWithRetries } from "./retryLoop";
import { Sender } from "./sender";

export type { ClientOptions } from "./options";
export type { Runtime } from "./timeBudget";

/** An HTTP client for one service. */
export interface Client {
  /**
   * Sends a request and returns the response of any status, after the retries that its nature allows.
   * @throws Unreachable, UnclearAnswer, TimedOut, ConnectionLost, UnexpectedAnswer or Cancelled; NotSent for a write that is
   * based on a read which is too old.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes the connections after the requests in progress have ended. */
  close(): Promise<void>;
}

/** Creates a client. It loads, reads and connects nothing before the first request. */
export function createClient(options: ClientOptions): Client {
  const settings = withDefaults(options);
  const gate = new Gate(settings.runtime, settings.maxConnections);
  const sender = new Sender(settings);
  return {
    send: (request) => sendWithRetries(request, { settings, gate, sender }),
    close: () => sender.close(),
  };
}
