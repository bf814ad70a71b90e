import { withoutIds } from "../../../provider/core/http/errors";
import type { DriftReport, ResourceReport } from "../report";

/** The time of an event (RFC 3339), by this machine's clock. */
interface Told {
  readonly at: string;
}

/** The connection that an event is about. */
interface Connected {
  /** For example `scheduler`. */
  readonly service: string;
  /** The source of the connection's settings. */
  readonly settings: string;
}

/** The events of a watch. Later versions may add kinds and members. */
export type WatchEvent =
  /** All resources were checked once. A `resource` event follows for each resource that is not in sync. */
  | (Told & {
      readonly event: "began";
      readonly project?: string;
      readonly stack?: string;
      readonly counts: DriftReport["counts"];
      /** The number of resources that blocking queries cover. */
      readonly waiting: number;
      /** The number of resources checked every `interval` seconds. */
      readonly polled: number;
      readonly interval: number;
    })
  /** A resource differs from its last reported state: it changed once more, or is in sync again. */
  | (Told & { readonly event: "resource" } & ResourceReport)
  /** Some objects of a server cannot be read; `since` is the time of their last successful read. */
  | (Told & Connected & { readonly event: "blind"; readonly since: string; readonly why: string })
  /** All objects can be read again; changes from the outage have been reported. */
  | (Told & Connected & { readonly event: "sees"; readonly since: string; readonly seconds: number })
  /** The server refuses the list, so its objects are checked every interval instead. */
  | (Told & Connected & { readonly event: "polling"; readonly why: string })
  /** The watch ended; `counts` sums up the last reports of all resources. */
  | (Told & { readonly event: "ended"; readonly counts: DriftReport["counts"] });

/** The last reported state of each resource, so that each state is reported once. */
export class News {
  readonly #told = new Map<string, string>();

  /**
   * True if the resource's state differs from its last reported state, and records it. A resource without a report counts as
   * in sync.
   */
  isNew(report: ResourceReport): boolean {
    const { urn, verdict, fields, when, why, ignored } = report;
    const state =
      verdict === "in sync" ? "" : withoutIds(JSON.stringify([verdict, fields, when, why, ignored]));
    if ((this.#told.get(urn) ?? "") === state) return false;
    this.#told.set(urn, state);
    return true;
  }
}

/** A time in which some objects of a connection could not be read, in milliseconds since the epoch. */
export interface Blind {
  readonly since: number;
}

/** The failing sources of each connection: a list, or a resource's own read. */
export class Blindness {
  readonly #failing = new Map<string, { readonly sources: Set<string>; readonly since: number }>();
  readonly #seen = new Map<string, number>();

  /** True if any source of the connection is failing. */
  isBlind(connection: string): boolean {
    return this.#failing.has(connection);
  }

  /** Records a failure. Returns the beginning of the outage if no other source of the connection was failing. */
  recordFailure(connection: string, source: string, now: number): Blind | undefined {
    const known = this.#failing.get(connection);
    if (known !== undefined) {
      known.sources.add(source);
      return undefined;
    }
    const since = this.#seen.get(`${connection} ${source}`) ?? now;
    this.#failing.set(connection, { sources: new Set([source]), since });
    return { since };
  }

  /** Records a success. Returns the outage if this was the last failing source of the connection. */
  sees(connection: string, source: string, now: number): Blind | undefined {
    this.#seen.set(`${connection} ${source}`, now);
    const known = this.#failing.get(connection);
    if (known === undefined || !known.sources.delete(source) || known.sources.size > 0) return undefined;
    this.#failing.delete(connection);
    return { since: known.since };
  }
}
