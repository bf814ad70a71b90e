import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { StubClock } from "../clock";
import type { Answer } from "./answer";
import type { Connection } from "./connection";

/** How much of a response the caller received: if it was complete, and the bytes of the body. */
export interface Sent {
  readonly isWhole: boolean;
  readonly bytes: number;
}

/** Sends the response to one caller, completely or with a fault. */
export class Delivery {
  readonly #response: ServerResponse;
  readonly #connection: Connection;
  /** Aborted when the caller disconnects or the response is complete. */
  readonly signal: AbortSignal;

  constructor(response: ServerResponse, connection: Connection) {
    this.#response = response;
    this.#connection = connection;
    const over = new AbortController();
    response.once("close", () => over.abort(OVER));
    this.signal = over.signal;
  }

  whole({ status, headers, body }: Answer): Sent {
    if (this.signal.aborted) return GONE;
    this.#response.writeHead(status, headers).end(body);
    return { isWhole: true, bytes: body.length };
  }

  /** Sends half of the body, or of the head if there is no body, then closes the connection. */
  async sendHalf({ status, headers, body }: Answer): Promise<Sent> {
    await this.#turn();
    if (this.signal.aborted) return GONE;
    const half = body.subarray(0, body.length >> 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.signal.addEventListener("abort", () => resolve(), { once: true });
    if (body.length < 2) this.#connection.write(`HTTP/1.1 ${status}`, () => resolve());
    else this.#response.writeHead(status, headers).write(half, () => resolve());
    await promise;
    this.#connection.destroy();
    return { isWhole: false, bytes: half.length };
  }

  /** Sends the body byte by byte, evenly over `milliseconds` of the mock server's clock. */
  async slowly({ status, headers, body }: Answer, milliseconds: number, clock: StubClock): Promise<Sent> {
    if (this.signal.aborted) return GONE;
    const start = clock.now();
    this.#response.writeHead(status, headers).flushHeaders();
    for (let sent = 0; sent < body.length; sent += 1) {
      await clock.until(start + (milliseconds * (sent + 1)) / body.length, this.signal);
      if (this.signal.aborted) return { isWhole: false, bytes: sent };
      this.#response.write(body.subarray(sent, sent + 1));
    }
    this.#response.end();
    return { isWhole: true, bytes: body.length };
  }

  /** Resets the connection without a response. */
  async reset(): Promise<Sent> {
    await this.#turn();
    this.#connection.reset();
    return GONE;
  }

  /** Waits for the responses to earlier requests on the same connection. */
  async #turn(): Promise<void> {
    if (this.#response.socket !== null || this.signal.aborted) return;
    await once(this.#response, "socket", { signal: this.signal }).catch(() => undefined);
  }
}

/** A fixed reason, because the default one captures a stack trace for every request. */
const OVER = new Error("the caller has gone, or has its answer");

const GONE: Sent = { isWhole: false, bytes: 0 };
