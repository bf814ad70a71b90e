import type { IncomingHttpHeaders } from "node:http";
import type { ServiceName } from "../service";
import { parseExactly } from "./exact-json";
import type { FaultKind } from "./fault";
import { MASK, masked } from "./masking";
import { type Arrived, matching, type Outcome, type RequestFilter } from "./matching";

/** One request that a control plane received, and what became of it. */
export interface LoggedRequest {
  /** Counts the requests to all services, from 1, in the order in which they arrived whole. */
  readonly sequence: number;
  readonly service: ServiceName;
  /** The verb as sent. */
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** A parameter that is given more than once has a list. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** By name in lower case; tokens are masked. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The parsed JSON, else the text; absent where nothing was sent. */
  readonly body?: unknown;
  /** When it arrived, in milliseconds since the epoch by the stub's clock. */
  readonly time: number;
  /** Whether the service saw it. */
  readonly reached: boolean;
  /** `open` until it has been answered; `lost` where the caller got no whole answer. */
  readonly outcome: Outcome;
  /** The status that the service answered, whether or not the caller was told; null where it answered nothing. */
  readonly serviceStatus: number | null;
  /** The status that the caller was sent; null where none was. */
  readonly status: number | null;
  /** How many bytes of a body the caller was sent. */
  readonly bytes: number;
  /** The kinds of the faults that acted on it. */
  readonly faults: readonly FaultKind[];
  /** Why the stub's own code failed, where it did. */
  readonly exception?: string;
}

/** How much a log keeps; the oldest requests make room. */
export interface LogBounds {
  readonly requests: number;
  /** Of bodies, altogether. */
  readonly bytes: number;
}

/** What becomes of a request, noted while it happens. */
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

/** The requests to all services, bounded. Bodies are parsed when they are asked for, not when they arrive. */
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
    // A copy: what arrived is a view of a much larger buffer, which an entry would keep from being freed.
    const kept = { ...request, body: Buffer.from(request.body) };
    // Incoming headers are texts and lists of texts; Node's type adds undefined for those that are not there.
    const shown = masked(headers) as LoggedRequest["headers"];
    const entry = new LogEntry(this.#sequence, kept, shown, time);
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
    return [...this.#entries.values()].filter(matches).map(shown);
  }

  /** Ends once `count` requests match, or when `signal` is aborted. */
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

  /** Sequence numbers have no gaps, so that the oldest entry is found without going through those long gone. */
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

function shown(entry: LogEntry): LoggedRequest {
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
