import { writesAmong } from "./asking";
import { formatExactly, parseExactly } from "./frame/exact-json";
import type { FaultInput } from "./frame/fault";
import type { FaultReport } from "./frame/fault-book";
import type { RequestFilter } from "./frame/matching";
import type { LoggedRequest } from "./frame/request-log";
import type { ServiceName } from "./service";

/** What a test can do to the stub and ask of it, from the stub's process or from any other. */
export interface StubControls {
  /** Adds faults, in this order, behind those that are there; their ids. */
  fault(...faults: FaultInput[]): Promise<string[]>;
  /** Every fault with what has become of it. */
  faults(): Promise<FaultReport[]>;
  clearFaults(): Promise<void>;
  /** Throws an error that names every fault that has not acted as often as asked, or could not do its part. */
  expectFaultsUsed(): Promise<void>;
  /** The requests that the log still holds, oldest first. */
  requests(filter?: RequestFilter): Promise<LoggedRequest[]>;
  /** Those of them that were meant to change something: what only asks by a POST (a job's plan) is none. */
  writes(): Promise<LoggedRequest[]>;
  /** Waits until there are `count` such requests (1), and throws when `patience` milliseconds (10,000) pass first. */
  awaitRequests(filter: RequestFilter, count?: number, patience?: number): Promise<LoggedRequest[]>;
  clearRequests(): Promise<void>;
  /** Milliseconds since the epoch by the stub's clock. */
  now(): Promise<number>;
  /** Moves the clock ahead; the time then. */
  advance(milliseconds: number): Promise<number>;
  /** Adds to what a service knows; see the service's `Seed` for what can be given. */
  seed(service: ServiceName, seed: unknown): Promise<void>;
  /** Turns a service's switches from here on; what is not named stays. */
  configure(service: ServiceName, switches: Readonly<Record<string, unknown>>): Promise<void>;
  /** Everything that a service knows but its tokens, as plain data. */
  dump(service: ServiceName): Promise<unknown>;
  /**
   * All services as they started, with the tokens they have by now; no faults, and an empty log. Switches and
   * the clock stay where they are.
   */
  reset(): Promise<void>;
}

/** The stub refuses what its control was asked; the message says what is wrong with it. */
export class StubControlError extends Error {
  override readonly name = "StubControlError";
}

/** Controls a stub in another process, by the address of its control. */
export class StubControl implements StubControls {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address.replace(/\/+$/, "");
  }

  /** Where the four control planes are. */
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

  /** The control's answers have the shapes that {@link StubControls} names, so `Answer` is what it says. */
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
