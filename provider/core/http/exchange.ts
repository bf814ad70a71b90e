import type { Dispatcher } from "undici";
import { type Collected, Collector } from "./collector";
import { decode } from "./decode";
import { exchangeFailureOf } from "./failure";
import type { HttpRequest } from "./request";
import type { Ending, Runtime } from "./timeBudget";

/** One request on the wire. */
export interface Exchange {
  readonly url: URL;
  /** Path and query exactly as sent: a URL object would resolve dots. */
  readonly target: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
  /** Milliseconds by the runtime's timers. */
  readonly timeoutMs: number;
  readonly runtime: Runtime;
  readonly maxResponseBytes: number;
  /** Aborted with an {@link Ending}. */
  readonly signal: AbortSignal;
}

/** The response to one request on the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends once and collects the complete response.
 * @throws ExchangeFailure
 */
export async function exchange(dispatcher: Dispatcher, sending: Exchange): Promise<RawAnswer> {
  const { status, headers, body } = await collect(dispatcher, sending);
  return {
    status,
    headers,
    text: await decode(body, headers["content-encoding"], sending.maxResponseBytes),
  };
}

function collect(dispatcher: Dispatcher, sending: Exchange): Promise<Collected> {
  const { signal, timeoutMs, runtime } = sending;
  return new Promise((resolve, reject) => {
    const collector = new Collector(
      sending.maxResponseBytes,
      (answer) => end(() => resolve(answer)),
      (failure) => end(() => reject(failure)),
    );
    // Only `TimeBudget` aborts this signal, always with an Ending.
    const onAbort = () => collector.stop(signal.reason as Ending);
    const stopTimer = runtime.after(timeoutMs, () => collector.timeOut());
    const end = (pass: () => void) => {
      stopTimer();
      signal.removeEventListener("abort", onAbort);
      pass();
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
      collector.fail(exchangeFailureOf(error, false));
    }
  });
}

/** The maximum number of redirects of one request. */
export const MOST_REDIRECTS = 5;

/** The destination of a request. The connection uses the URL's origin; the request line contains `target`. */
export interface Destination {
  readonly url: URL;
  readonly target: string;
  readonly method: HttpRequest["method"];
}

/**
 * The destination of a redirect, or undefined if it is not followed. Quarterdeck never follows a redirect to another origin,
 * because that origin is unknown. Reads without a body (except POST) follow all other redirects; other requests follow only
 * 307 and 308, which repeat the request unchanged.
 */
export function redirectOf(
  from: Destination,
  request: HttpRequest,
  answer: RawAnswer,
): Destination | undefined {
  const { location } = answer.headers;
  if (location === undefined || !URL.canParse(location, from.url.href)) return undefined;
  const url = new URL(location, from.url);
  if (url.origin !== from.url.origin) return undefined;
  const free = request.nature === "read" && request.body === undefined && request.method !== "POST";
  const repeats = answer.status === 307 || answer.status === 308;
  const follows = repeats || (free && [301, 302, 303].includes(answer.status));
  if (!follows) return undefined;
  return { url, target: url.pathname + url.search, method: answer.status === 303 ? "GET" : from.method };
}
