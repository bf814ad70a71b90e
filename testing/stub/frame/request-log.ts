import type { IncomingHttpHeaders } from "node:http";
import type { ServiceName } from "../service";
import { parseExactly } from "./exact-json";
import type { FaultKind } from "./fault";
import { MASK, maskHeaders } from "./masking";
import { type Arrived, matching, type Outcome, type RequestFilter } from "./matching";

/** One request that a mock server received, and its outcome. */
export interface LoggedRequest {
  /** Numbers the requests to all services from 1, in the order in which they arrived completely. */
  readonly sequence: number;
  readonly service: ServiceName;
  /** The verb as sent. */
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** A parameter that occurs more than once has a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** By name in lower case; tokens are masked. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The parsed JSON, else the text; absent if the body was empty. */
  readonly body?: unknown;
  /** The time of arrival, in milliseconds since the epoch by the mock server's clock. */
  readonly time: number;
  /** True if the service received it. */
  readonly reached: boolean;
  /** `open` until it is answered; `lost` if the caller received no complete response. */
  readonly outcome: Outcome;
  /** The status of the service's response, even if the caller did not receive it; null without a response. */
  readonly serviceStatus: number | null;
  /** The status sent to the caller; null if none was sent. */
  readonly status: number | null;
  /** The number of body bytes sent to the caller. */
  readonly bytes: number;
  /** The kinds of the faults that affected it. */
  readonly faults: readonly FaultKind[];
  /** The error of the mock server's own code, if it failed. */
  readonly exception?: string;
}

/** The size of the log; new requests replace the oldest. */
export interface LogBounds {
  readonly requests: number;
  /** Of all bodies together. */
  readonly bytes: number;
}

/** The state of a request, updated while it is handled. */
export class LogEntry {
  reached = false;
  outcome: Outcome = "open";
  serviceStatus: number | null = null;
  status: number | null = null;
  bytes = 0;
  exception: string | undefined;
  faults: readonly FaultKind[] = [];

  constructor(
    readonly sequence: number,
    readonly request: Arrived,
    readonly headers: LoggedRequest["headers"],
    readonly time: number,
  ) {}
}

/** The requests to all services, up to a limit. The log parses a body when it is read, not when it arrives. */
export class RequestLog {
  readonly #bounds: LogBounds;
  readonly #entries = new Map<number, LogEntry>();
  readonly #watchers = new Set<(entry: LogEntry) => void>();
  #sequence = 0;
  #bytes = 0;

  constructor({ requests = 20_000, bytes = 256 * 1024 * 1024 }: Partial<LogBounds> = {}) {
    this.#bounds = { requests, bytes };
  }

  enter(request: Arrived, headers: IncomingHttpHeaders, time: number): LogEntry {
    this.#sequence += 1;
    // A copy, because the received body is a view of a much larger buffer, which the entry would retain.
    const kept = { ...request, body: Buffer.from(request.body) };
    // Header values are strings and lists of strings; Node's type adds undefined for absent ones.
    const masked = maskHeaders(headers) as LoggedRequest["headers"];
    const entry = new LogEntry(this.#sequence, kept, masked, time);
    this.#entries.set(entry.sequence, entry);
    this.#bytes += kept.body.length;
    this.#makeRoom();
    this.#tell(entry);
    return entry;
  }

  complete(entry: LogEntry, { isWhole, bytes }: { readonly isWhole: boolean; readonly bytes: number }): void {
    entry.outcome = isWhole ? "answered" : "lost";
    entry.bytes = bytes;
    this.#tell(entry);
  }

  requests(filter: RequestFilter = {}): LoggedRequest[] {
    const matches = matchingEntries(filter);
    return [...this.#entries.values()].filter(matches).map(loggedRequest);
  }

  /** Resolves once `count` requests match, or when `signal` is aborted. */
  async whenThere(filter: RequestFilter, count: number, signal: AbortSignal): Promise<void> {
    const matches = matchingEntries(filter);
    const found = new Set([...this.#entries.values()].filter(matches));
    if (found.size >= count || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (entry: LogEntry) => {
      if (matches(entry)) found.add(entry);
      else found.delete(entry);
      if (found.size >= count) resolve();
    };
    this.#watchers.add(look);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    this.#watchers.delete(look);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #tell(entry: LogEntry): void {
    for (const look of [...this.#watchers]) look(entry);
  }

  /** Sequence numbers have no gaps, so the oldest entry is found without a search. */
  #makeRoom(): void {
    while (this.#entries.size > this.#bounds.requests || this.#bytes > this.#bounds.bytes) {
      const oldest = this.#sequence - this.#entries.size + 1;
      this.#bytes -= this.#entries.get(oldest)?.request.body.length ?? 0;
      this.#entries.delete(oldest);
    }
  }
}

function matchingEntries({ after = 0, outcome, ...wanted }: RequestFilter): (entry: LogEntry) => boolean {
  const matches = matching(wanted);
  return (entry) =>
    entry.sequence > after && (outcome === undefined || entry.outcome === outcome) && matches(entry.request);
}

function loggedRequest(entry: LogEntry): LoggedRequest {
  const { sequence, request, headers, time, exception } = entry;
  const { reached, outcome, serviceStatus, status, bytes, faults } = entry;
  return {
    sequence,
    service: request.service,
    method: request.method,
    path: request.path,
    query: shownQuery(request.query),
    headers,
    ...(request.body.length > 0 && { body: shownBody(request.body) }),
    time,
    reached,
    outcome,
    serviceStatus,
    status,
    bytes,
    faults,
    ...(exception !== undefined && { exception }),
  };
}

function shownQuery(query: URLSearchParams): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      if (name === "token") return [name, MASK];
      const [first = "", ...others] = query.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function shownBody(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}
