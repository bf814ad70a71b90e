import { Gate } from "./gate";
import { type ClientOptions, withDefaults } from "./options";
import type { HttpAnswer, HttpRequest } from "./request";
import { sendWithRetries } from "./retryLoop";
import { Sender } from "./sender";

export type { ClientOptions } from "./options";
export type { Runtime } from "./timeBudget";

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

/** Makes a client. Nothing is loaded, read or connected before the first request. */
export function createClient(options: ClientOptions): Client {
  const settings = withDefaults(options);
  const gate = new Gate(settings.runtime, settings.maxConnections);
  const sender = new Sender(settings);
  return {
    send: (request) => sendWithRetries(request, { settings, gate, sender }),
    close: () => sender.close(),
  };
}
