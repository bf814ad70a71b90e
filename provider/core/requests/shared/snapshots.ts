import { TimeBudget } from "../../http/gate";
import type { RequestContext, Shared } from "../../language/stepInput";
import type { Middleware } from "../middleware";

/** The maximum age of the results that reads share, in milliseconds. */
export const OLDEST_MS = 60_000;

interface Entry {
  readonly value: object;
  readonly since: number;
}

/**
 * The results that the reads of a provider share, per service. A write to a service may change any of its collections (a
 * lock changes a workspace), so it discards all results of the service. It does so when it is sent and again when it has
 * ended. A read between these two may show the service before or after the write.
 */
export class Snapshots {
  readonly #services = new Map<string, Map<string, Entry>>();

  constructor(private readonly now: () => number) {}

  /** The results that the reads of a service share. */
  of(service: string): Shared {
    return { kept: (key, make) => this.#kept(service, key, make) };
  }

  /**
   * Makes later reads of this service send new requests. Callers that already wait receive the result of the earlier
   * request.
   */
  drop(service: string): void {
    this.#services.delete(service);
  }

  /** Discards the shared results of a service on every write to it, regardless of the outcome. */
  invalidation(service: string): Middleware {
    return (next) => async (request) => {
      if (request.nature === "read") return next(request);
      this.drop(service);
      try {
        return await next(request);
      } finally {
        this.drop(service);
      }
    };
  }

  #kept<Kept extends object>(service: string, key: string, make: () => Kept): Kept {
    const entries = this.#services.get(service) ?? new Map<string, Entry>();
    this.#services.set(service, entries);
    const existing = entries.get(key);
    // All users of a key store the same type under it.
    if (existing !== undefined && this.now() - existing.since < OLDEST_MS) return existing.value as Kept;
    const value = make();
    entries.set(key, { value, since: this.now() });
    return value;
  }
}

/** Runs a function with a signal that aborts when the step's time ends or when the step is canceled. */
export async function withinTime<T>(
  { connection: { runtime }, deadline, signal }: RequestContext,
  run: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = new TimeBudget(runtime, deadline - runtime.now(), signal);
  try {
    return await run(time.signal);
  } finally {
    time.close();
  }
}

/** Waits for a request that another caller started, until `ended` aborts. Ignores the errors of that request. */
export async function waitForShared<T>(begun: Promise<T>, ended: AbortSignal): Promise<T | undefined> {
  const over = new Promise<undefined>((resolve) => {
    ended.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([begun.catch(() => undefined), over]);
}
