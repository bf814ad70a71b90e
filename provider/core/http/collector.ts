import type { Dispatcher } from "undici";
import { ExchangeFailure, exchangeFailureOf, type FailureReason } from "./failure";

/** A response with its body as it came over the wire. */
export interface Collected {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Collects one response. The dispatcher reports the start of a request once it is connected and before it writes the first
 * byte. A failure before this start proves that the server did nothing.
 */
export class Collector implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onAnswer: (answer: Collected) => void,
    private readonly onFailure: (failure: ExchangeFailure) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isDone) controller.abort(new Error("stopped before it was sent"));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A 1xx response only announces the final response.
    if (status < 200) return;
    this.#status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined)
        this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.maxBytes) this.stop("tooLarge");
    else if (!this.#isDone) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.onAnswer({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.fail(exchangeFailureOf(error, this.#controller !== undefined));
  }

  /** Ends a request whose time is up. If it still waits for its connection, it is never sent. */
  timeOut(): void {
    if (this.#controller !== undefined) this.stop("timeout");
    else this.fail(new ExchangeFailure("unconnected", false, "ETIMEDOUT"));
  }

  /** Gives up: drops the connection, or never writes the request. */
  stop(reason: FailureReason): void {
    const controller = this.#controller;
    this.fail(new ExchangeFailure(reason, controller !== undefined));
    controller?.abort(new Error(reason));
  }

  fail(failure: ExchangeFailure): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#chunks = [];
    this.onFailure(failure);
  }
}
