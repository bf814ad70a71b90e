import { z } from "zod";
import { writesAmong } from "../asking";
import type { StubClock } from "../clock";
import { StubControlError, type StubControls } from "../control";
import type { ServiceName, StubService } from "../service";
import type { FaultInput } from "./fault";
import type { FaultBook, FaultReport } from "./fault-book";
import { FaultSchema } from "./fault-schema";
import type { RequestFilter } from "./matching";
import { RequestFilterSchema, ServiceNames } from "./matching-schema";
import type { LoggedRequest, RequestLog } from "./request-log";

/** Controls the mock servers from their own process. Every rejection is a {@link StubControlError}. */
export class ControlDesk implements StubControls {
  readonly #services: ReadonlyMap<string, StubService>;
  readonly #clock: StubClock;
  readonly #log: RequestLog;
  readonly #book: FaultBook;

  constructor(
    services: readonly StubService[],
    { clock, log, faults }: { clock: StubClock; log: RequestLog; faults: FaultBook },
  ) {
    this.#services = new Map(services.map((service) => [service.name, service]));
    this.#clock = clock;
    this.#log = log;
    this.#book = faults;
  }

  async fault(...faults: FaultInput[]): Promise<string[]> {
    return parseOrRefuse(z.array(FaultSchema).min(1), faults).map((fault) => this.#book.add(fault));
  }

  async faults(): Promise<FaultReport[]> {
    return this.#book.reports();
  }

  async clearFaults(): Promise<void> {
    this.#book.clear();
  }

  async expectFaultsUsed(): Promise<void> {
    const wanting = this.#book.reports().filter(({ isUsed, failures }) => !isUsed || failures.length > 0);
    if (wanting.length > 0) throw new StubControlError(wanting.map(describe).join("\n"));
  }

  async requests(filter: RequestFilter = {}): Promise<LoggedRequest[]> {
    return this.#log.requests(parseOrRefuse(RequestFilterSchema, filter));
  }

  async writes(): Promise<LoggedRequest[]> {
    return writesAmong(await this.requests());
  }

  async awaitRequests(filter: RequestFilter, count = 1, patience = 10_000): Promise<LoggedRequest[]> {
    const wanted = parseOrRefuse(RequestFilterSchema, filter);
    parseOrRefuse(z.int().positive(), count);
    parseOrRefuse(z.int().positive().max(LONGEST_PATIENCE), patience);
    await this.#log.whenThere(wanted, count, AbortSignal.timeout(patience));
    const found = this.#log.requests(wanted);
    if (found.length >= count) return found;
    throw new StubControlError(
      `${found.length} of ${count} requests like ${JSON.stringify(filter)} came within ${patience} ms`,
    );
  }

  async clearRequests(): Promise<void> {
    this.#log.clear();
  }

  async now(): Promise<number> {
    return this.#clock.now();
  }

  async advance(milliseconds: number): Promise<number> {
    this.#clock.advance(parseOrRefuse(z.number().nonnegative(), milliseconds));
    return this.#clock.now();
  }

  async seed(service: ServiceName, seed: unknown): Promise<void> {
    const target = this.#service(service);
    refusable(() => target.seed(seed, this.#clock.now()));
  }

  async configure(service: ServiceName, switches: Readonly<Record<string, unknown>>): Promise<void> {
    const target = this.#service(service);
    const given = parseOrRefuse(z.record(z.string(), z.unknown()), switches);
    refusable(() => target.configure(given));
  }

  async dump(service: ServiceName): Promise<unknown> {
    return this.#service(service).dump();
  }

  async reset(): Promise<void> {
    for (const service of this.#services.values()) service.reset();
    this.#book.clear();
    this.#log.clear();
  }

  #service(name: ServiceName): StubService {
    const service = this.#services.get(parseOrRefuse(ServiceNames, name));
    if (service === undefined) throw new StubControlError(`the stub runs no ${name} service`);
    return service;
  }
}

/** The longest delay of Node's timers. */
const LONGEST_PATIENCE = 2 ** 31 - 1;

function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return refusable(() => schema.parse(value));
}

function refusable<Result>(does: () => Result): Result {
  try {
    return does();
  } catch (error) {
    if (error instanceof z.ZodError) throw new StubControlError(z.prettifyError(error), { cause: error });
    throw new StubControlError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function describe({ id, fault, seen, used, failures }: FaultReport): string {
  const asked = fault.times === "always" ? "at least once" : `${fault.times} times`;
  const what = `${id}, ${fault.kind} for ${JSON.stringify(fault.match)}`;
  const counts = `acted ${used} times, was asked to ${asked} after ${fault.skip}; ${seen} requests matched`;
  return [`${what}: ${counts}`, ...failures].join("; ");
}
