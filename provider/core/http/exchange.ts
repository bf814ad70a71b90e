import type { Dispatcher } from "undici";
import { decoded } from "./decode";
import type { Ending } from "./patience";

/** What goes over the wire once. */
export interface Exchange {
  readonly url: URL;
  /** Path and query exactly as they are sent: a URL object would resolve dots. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Milliseconds of real time. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** Aborted with an {@link Ending}. */
  readonly signal: AbortSignal;
}

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Why nothing (whole) came back. `unconnected` is proof that the service got nothing. */
export type FailureReason = "unconnected" | "timeout" | "lost" | "tooLarge" | "undecodable" | Ending;

/** An exchange without an answer. Only the client sees it, and says what it means for the request. */
export class ExchangeFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    /** Whether the service may have got the request, or a part of it. */
    readonly sent: boolean,
    readonly code?: string,
    message = reason as string,
  ) {
    super(message);
  }
}

/**
 * Sends once and collects the whole answer.
 * @throws {@link ExchangeFailure}
 */
export async function exchange(dispatcher: Dispatcher, sending: Exchange): Promise<RawAnswer> {
  const { status, headers, body } = await collect(dispatcher, sending);
  return {
    status,
    headers,
    text: await decoded(body, headers["content-encoding"], sending.maxResponseBytes),
  };
}

interface Collected {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function collect(dispatcher: Dispatcher, sending: Exchange): Promise<Collected> {
  const { signal, timeoutMs } = sending;
  return new Promise((resolve, reject) => {
    const collector = new Collector(
      sending.maxResponseBytes,
      (answer) => finish(() => resolve(answer)),
      (failure) => finish(() => reject(failure)),
    );
    // Only Patience aborts this signal, always with an Ending.
    const onAbort = () => collector.stop(signal.reason as Ending);
    const timer = setTimeout(() => collector.timeOut(), timeoutMs);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) return onAbort();
    try {
      dispatcher.dispatch(
        {
          origin: sending.url.origin,
          path: sending.target,
          method: sending.method,
          headers: { ...sending.headers },
          body: sending.body ?? null,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        collector,
      );
    } catch (error) {
      collector.fail(failureOf(error, false));
    }
  });
}

/**
 * Collects one answer. The dispatcher announces the start of a request once a connection stands and before the
 * first byte is written: that is the line between "nothing happened" and "who knows".
 */
class Collector implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
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
    if (this.#settled) controller.abort(new Error("stopped before it was sent"));
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
    else if (!this.#settled) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.onAnswer({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.fail(failureOf(error, this.#controller !== undefined));
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
    if (this.#settled) return;
    this.#settled = true;
    this.#chunks = [];
    this.onFailure(failure);
  }
}

/** With TLS 1.3 a server refuses the handshake only after the first bytes went out; it has taken none of them. */
const HANDSHAKE_REFUSED =
  /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|UNSUPPORTED_CERT)/;

function failureOf(error: unknown, started: boolean): ExchangeFailure {
  const { code, message } = innermost(error);
  // A proxy that asks for credentials has passed nothing on.
  const refused = HANDSHAKE_REFUSED.test(code ?? "") || /\(407\)/.test(message);
  const sent = started && !refused;
  return new ExchangeFailure(sent ? "lost" : "unconnected", sent, code, message);
}

/** What the system said: undici wraps it, and Node wraps the tries of several addresses of one name. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: String(error) };
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error && "code" in inner) return innermost(inner);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { code, message: error.message };
}
