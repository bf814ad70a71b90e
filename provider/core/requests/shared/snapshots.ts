import { TimeBudget } from "../../http/timeBudget";
import type { RequestContext, Shared } from "../../language/stepInput";
import type { Middleware } from "../middleware";

/** How old what reads share may become, in milliseconds. */
export const OLDEST_MS = 60_000;

interface Entry {
  readonly value: object;
  readonly since: number;
}

/**
 * What the reads of a provider share, service by service. Whatever writes to a service may move any of its collections (a
 * lock moves a workspace), so all of it goes then: when the write is sent, and again when it has ended, because what was
 * asked for in between may show the service before or after it.
 */
export class Snapshots {
  readonly #services = new Map<string, Map<string, Entry>>();

  constructor(private readonly now: () => number) {}

  /** What the reads of a service share. */
  of(service: string): Shared {
    return { kept: (key, make) => this.#kept(service, key, make) };
  }

  /** From now on the reads of this service ask anew. Who waits for what was asked before gets that. */
  drop(service: string): void {
    this.#services.delete(service);
  }

  /** Drops what reads of a service share when it is written to, whatever the outcome. */
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
    // Under a key everybody keeps the same.
    if (existing !== undefined && this.now() - existing.since < OLDEST_MS) return existing.value as Kept;
    const value = make();
    entries.set(key, { value, since: this.now() });
    return value;
  }
}

/** Runs something that is told when the time of its step is over, or the step is cancelled. */
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

/** Waits for what somebody else has begun, as long as its own time lasts; what it fails of is no concern of who waits. */
export async function waited<T>(begun: Promise<T>, ended: AbortSignal): Promise<T | undefined> {
  const over = new Promise<undefined>((resolve) => {
    ended.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([begun.catch(() => undefined), over]);
}
