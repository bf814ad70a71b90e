import { createHash, type Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { types } from "node:util";
import type { Dispatcher } from "undici";
import type { Ending } from "./gate";
import type { Runtime } from "./options";

/** One request on the wire. */
export interface Exchange {
  readonly url: URL;
  /** Path and query exactly as sent: a URL object would resolve dots. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** A text, or a function that opens the content. */
  readonly body: string | (() => Readable) | undefined;
  /** Milliseconds by the runtime's timers. */
  readonly timeoutMs: number;
  readonly runtime: Runtime;
  readonly maxResponseBytes: number;
  /** Aborted with an {@link Ending}. */
  readonly signal: AbortSignal;
  /** True to hash the body of a 2xx response instead of collecting it. */
  readonly hashes?: boolean;
}

/** A response with its body as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The SHA-256 of the body in place of the body, if the exchange hashes it. */
  readonly sha256?: string;
}

/**
 * Sends once and collects the complete response.
 * @throws ExchangeFailure
 */
export function exchange(dispatcher: Dispatcher, sending: Exchange): Promise<RawAnswer> {
  const { url, target, method, headers, body, signal } = sending;
  const collector = new Collector(sending.maxResponseBytes, sending.hashes === true);
  // Only `TimeBudget` aborts this signal, always with an Ending.
  const onAbort = () => collector.stop(signal.reason as Ending);
  const stopTimer = sending.runtime.after(sending.timeoutMs, () => collector.timeOut());
  signal.addEventListener("abort", onAbort, { once: true });
  const content = typeof body === "function" ? body() : (body ?? null);
  const options = { origin: url.origin, path: target, method, headers: { ...headers }, body: content };
  try {
    if (signal.aborted) onAbort();
    else dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, collector);
  } catch (error) {
    collector.onResponseError(null, error);
  }
  return collector.answer.finally(() => {
    stopTimer();
    signal.removeEventListener("abort", onAbort);
  });
}

/**
 * Collects one response. The dispatcher reports the start of a request once it is connected and before it writes the first
 * byte. A failure before this start proves that the server did nothing.
 */
class Collector implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawAnswer>;
  #resolve: (answer: RawAnswer) => void = () => {};
  #reject: (failure: ExchangeFailure) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #isDone = false;
  #status = 0;
  readonly #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #size = 0;

  #hash: Hash | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly hashes: boolean,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

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
    if (this.hashes && status < 300) this.#hash = createHash("sha256");
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.#headers[name.toLowerCase()] = [value].flat().join(", ");
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hash !== undefined) {
      this.#hash.update(chunk);
      return;
    }
    this.#size += chunk.length;
    if (this.#size > this.maxBytes) this.stop("tooLarge");
    else if (!this.#isDone) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#isDone = true;
    const sha256 = this.#hash?.digest("hex");
    const body = Buffer.concat(this.#chunks);
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body,
      ...(sha256 !== undefined && { sha256 }),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.#fail(exchangeFailureOf(error, this.#controller !== undefined));
  }

  /** Ends a request whose time is up. If it still waits for its connection, it is never sent. */
  timeOut(): void {
    if (this.#controller !== undefined) this.stop("timeout");
    else this.#fail(new ExchangeFailure("unconnected", false, "ETIMEDOUT"));
  }

  /** Gives up: drops the connection, or never writes the request. */
  stop(reason: FailureReason): void {
    const controller = this.#controller;
    this.#fail(new ExchangeFailure(reason, controller !== undefined));
    controller?.abort(new Error(reason));
  }

  #fail(failure: ExchangeFailure): void {
    this.#isDone = true;
    this.#chunks = [];
    this.#reject(failure);
  }
}

/** Why no complete response arrived. `unconnected` proves that the server received nothing. */
export type FailureReason = "unconnected" | "timeout" | "lost" | "tooLarge" | "undecodable" | Ending;

/** An exchange without a response. Only the client sees it, and explains what it means for the request. */
export class ExchangeFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    /** True if the server may have received the request or a part of it. */
    readonly sent: boolean,
    readonly code?: string,
    message = reason as string,
  ) {
    super(message);
  }
}

/** The code of failures that only a different configuration can fix. */
export const UNUSABLE = "UNUSABLE_CONFIGURATION";

/** A failure that only a different configuration can fix. Its message names the problem. */
export function unusable(message: string): ExchangeFailure {
  return new ExchangeFailure("unconnected", false, UNUSABLE, message);
}

/**
 * With TLS 1.3 a server rejects the handshake only after the client sent its first bytes. The server has processed none of
 * them.
 */
const HANDSHAKE_REFUSED =
  /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|UNSUPPORTED_CERT)/;

/** Converts a dispatcher's error. `started` is true if the dispatcher had started to write the request. */
export function exchangeFailureOf(error: unknown, started: boolean): ExchangeFailure {
  const { code, message } = innermost(error);
  // A proxy that asks for credentials has forwarded nothing.
  const refused = HANDSHAKE_REFUSED.test(code ?? "") || /\(407\)/.test(message);
  const sent = started && !refused;
  return new ExchangeFailure(sent ? "lost" : "unconnected", sent, code, message);
}

/** Finds the system's error. undici wraps it, and Node wraps the attempts at several addresses of one name. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!isNativeError(error)) return { code: undefined, message: String(error) };
  const inner: unknown = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : error.cause;
  if (systemCode(inner) !== undefined) return innermost(inner);
  return { code: systemCode(error), message: error.message };
}

/** The code of an error of the system or of Node; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  return isNativeError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { isNativeError } = types;
