import { writesAmong } from "./asking";
import { formatExactly, parseExactly } from "./frame/exact-json";
import type { FaultInput } from "./frame/fault";
import type { FaultReport } from "./frame/fault-book";
import type { RequestFilter } from "./frame/matching";
import type { LoggedRequest } from "./frame/request-log";
import type { ServiceName } from "./service";

/** A test's operations on the mock servers, from the same process or from another one. */
export interface StubControls {
  /** Adds faults after the existing ones, in this order; returns their IDs. */
  fault(...faults: FaultInput[]): Promise<string[]>;
  /** Every fault with its effects so far. */
  faults(): Promise<FaultReport[]>;
  clearFaults(): Promise<void>;
  /** Throws an error that names every fault that has not acted as often as requested, or that had a failed action. */
  expectFaultsUsed(): Promise<void>;
  /** The requests that are still in the log, oldest first. */
  requests(filter?: RequestFilter): Promise<LoggedRequest[]>;
  /** Those that were meant to change something; a POST that only reads (a job's plan) is not included. */
  writes(): Promise<LoggedRequest[]>;
  /** Waits for `count` matching requests (default 1); throws if `patience` milliseconds (default 10,000) pass first. */
  awaitRequests(filter: RequestFilter, count?: number, patience?: number): Promise<LoggedRequest[]>;
  clearRequests(): Promise<void>;
  /** Milliseconds since the epoch by the mock server's clock. */
  now(): Promise<number>;
  /** Advances the clock; returns the new time. */
  advance(milliseconds: number): Promise<number>;
  /** Adds a seed to a service's state; the service's `Seed` lists the possible members. */
  seed(service: ServiceName, seed: unknown): Promise<void>;
  /** Changes a service's named switches from now on; the others keep their values. */
  configure(service: ServiceName, switches: Readonly<Record<string, unknown>>): Promise<void>;
  /** The complete state of a service except its tokens, as plain data. */
  dump(service: ServiceName): Promise<unknown>;
  /**
   * Resets all services to their initial state, except their current tokens, and clears the faults and the log. Switches and
   * the clock are unchanged.
   */
  reset(): Promise<void>;
}

/** The control rejects a request; the message states the reason. */
export class StubControlError extends Error {
  override readonly name = "StubControlError";
}

/** Controls mock servers in another process, by the address of their control. */
export class StubControl implements StubControls {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address.replace(/\/+$/, "");
  }

  /** The addresses of the four mock servers. */
  async addresses(): Promise<Record<ServiceName, string>> {
    return (await this.#ask<{ addresses: Record<ServiceName, string> }>("GET", "/")).addresses;
  }

  async fault(...faults: FaultInput[]): Promise<string[]> {
    return (await this.#ask<{ ids: string[] }>("POST", "/faults", { faults })).ids;
  }

  async faults(): Promise<FaultReport[]> {
    return (await this.#ask<{ faults: FaultReport[] }>("GET", "/faults")).faults;
  }

  async clearFaults(): Promise<void> {
    await this.#ask("DELETE", "/faults");
  }

  async expectFaultsUsed(): Promise<void> {
    await this.#ask("POST", "/faults/expect-used", {});
  }

  async requests(filter: RequestFilter = {}): Promise<LoggedRequest[]> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined) search.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    return (await this.#ask<{ requests: LoggedRequest[] }>("GET", `/requests?${search}`)).requests;
  }

  async writes(): Promise<LoggedRequest[]> {
    return writesAmong(await this.requests());
  }

  async awaitRequests(filter: RequestFilter, count?: number, patience?: number): Promise<LoggedRequest[]> {
    const body = { filter, count, patience };
    return (await this.#ask<{ requests: LoggedRequest[] }>("POST", "/requests/await", body)).requests;
  }

  async clearRequests(): Promise<void> {
    await this.#ask("DELETE", "/requests");
  }

  async now(): Promise<number> {
    return (await this.#ask<{ now: number }>("GET", "/clock")).now;
  }

  async advance(milliseconds: number): Promise<number> {
    return (await this.#ask<{ now: number }>("POST", "/clock", { advance: milliseconds })).now;
  }

  async seed(service: ServiceName, seed: unknown): Promise<void> {
    await this.#ask("POST", `/seed/${service}`, seed);
  }

  async configure(service: ServiceName, switches: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#ask("POST", `/switches/${service}`, switches);
  }

  async dump(service: ServiceName): Promise<unknown> {
    return this.#ask("GET", `/dump/${service}`);
  }

  async reset(): Promise<void> {
    await this.#ask("POST", "/reset", {});
  }

  /** The control's responses have the types of {@link StubControls}, so the caller can choose `Answer`. */
  async #ask<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.#address + path, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: formatExactly(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new StubControlError(text);
    return parseExactly(text) as Answer;
  }
}
