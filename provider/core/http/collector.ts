import type { Dispatcher } from "undici";
import { ExchangeFailure, exchangeFailureOf, type FailureReason } from "./failure";

/** An answer with its body as it came over the wire. */
export interface Collected {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Collects one answer. The dispatcher announces the start of a request once a connection stands and before the
 * first byte is written: a failure before that proves that nothing happened.
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
    // 1xx only announces the answer.
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

  /** Time is up; a request that still waits for its connection never goes out. */
  timeOut(): void {
    if (this.#controller !== undefined) this.stop("timeout");
    else this.fail(new ExchangeFailure("unconnected", false, "ETIMEDOUT"));
  }

  /** Gives up: the connection is dropped, or the request never written. */
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
