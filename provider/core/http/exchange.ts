import type { Dispatcher } from "undici";
import { type Collected, Collector } from "./collector";
import { decoded } from "./decode";
import { exchangeFailureOf } from "./failure";
import type { Runtime } from "./runtime";
import type { Ending } from "./timeBudget";

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
