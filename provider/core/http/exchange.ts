import type { Dispatcher } from "undici";
import { type Collected, Collector } from "./collector";
import { decoded } from "./decode";
import { exchangeFailureOf } from "./failure";
import type { HttpRequest } from "./request";
import type { Ending, Runtime } from "./timeBudget";

/** What goes over the wire once. */
export interface Exchange {
  readonly url: URL;
  /** Path and query exactly as they are sent: a URL object would resolve dots. */
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

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends once and collects the whole answer.
 * @throws ExchangeFailure
 */
export async function exchange(dispatcher: Dispatcher, sending: Exchange): Promise<RawAnswer> {
  const { status, headers, body } = await collect(dispatcher, sending);
  return {
    status,
    headers,
    text: await decoded(body, headers["content-encoding"], sending.maxResponseBytes),
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
    // Only Patience aborts this signal, always with an Ending.
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

/** How many redirects one request follows. */
export const MOST_REDIRECTS = 5;

/** Where a request goes: the URL's origin counts for the connection, `target` is what is sent. */
export interface Destination {
  readonly url: URL;
  readonly target: string;
  readonly method: HttpRequest["method"];
}

/**
 * Where a redirect leads, or undefined where it is not followed: none leads to another origin, of which nothing is
 * known. Reads without a body follow all others; everything else follows only 307 and 308, which repeat the request
 * as it is.
 */
export function redirected(
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
