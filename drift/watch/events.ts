import { withoutIds } from "../../provider/core/http/errors";
import type { DriftReport, ResourceReport } from "../report";

/** When something was told (RFC 3339), by this machine's clock. */
interface Told {
  readonly at: string;
}

/** Of which connection something is told. */
interface Connected {
  /** `scheduler`. */
  readonly service: string;
  /** Where the connection's settings come from. */
  readonly settings: string;
}

/** What a watch tells. Kinds and members are added in later versions. */
export type WatchEvent =
  /** All was looked at once. What is not in sync is told just after it, resource by resource. */
  | (Told & {
      readonly event: "began";
      readonly project?: string;
      readonly stack?: string;
      readonly counts: DriftReport["counts"];
      /** How many resources stand in lists whose services tell of a change by themselves. */
      readonly waiting: number;
      /** How many are looked at every `interval` seconds. */
      readonly polled: number;
      readonly interval: number;
    })
  /** A resource is in another state than the one that was told last: moved once more, or in sync again. */
  | (Told & { readonly event: "resource" } & ResourceReport)
  /** Nothing is seen of some of a service's objects, after `since`, when they were seen last. */
  | (Told & Connected & { readonly event: "blind"; readonly since: string; readonly why: string })
  /** All is seen again; what moved meanwhile has been told. */
  | (Told & Connected & { readonly event: "sees"; readonly since: string; readonly seconds: number })
  /** A list is refused, so that its objects are looked at every interval in place of it. */
  | (Told & Connected & { readonly event: "polling"; readonly why: string })
  /** The watch was ended: what was told last of every resource. */
  | (Told & { readonly event: "ended"; readonly counts: DriftReport["counts"] });

/** What was told of each resource, so that a state is told once. */
export class News {
  readonly #told = new Map<string, string>();

  /** Whether this is another state of the resource than the one before; what was never told is in sync. */
  isNew(report: ResourceReport): boolean {
    const { urn, verdict, fields, when, why, ignored } = report;
    const state =
      verdict === "in sync" ? "" : withoutIds(JSON.stringify([verdict, fields, when, why, ignored]));
    if ((this.#told.get(urn) ?? "") === state) return false;
    this.#told.set(urn, state);
    return true;
  }
}

/** A time in which some of a connection's objects were not seen, in milliseconds since the epoch. */
export interface Blind {
  readonly since: number;
}

/** What is not seen of each connection, by what fails there: a list, or a resource's own read. */
export class Blindness {
  readonly #failing = new Map<string, { readonly sources: Set<string>; readonly since: number }>();
  readonly #seen = new Map<string, number>();

  /** Whether some of a connection is not seen. */
  isBlind(connection: string): boolean {
    return this.#failing.has(connection);
  }

  /** A source of a connection failed: answers the beginning where all of it was seen until then. */
  failed(connection: string, source: string, now: number): Blind | undefined {
    const known = this.#failing.get(connection);
    if (known !== undefined) {
      known.sources.add(source);
      return undefined;
    }
    const since = this.#seen.get(`${connection} ${source}`) ?? now;
    this.#failing.set(connection, { sources: new Set([source]), since });
    return { since };
  }

  /** A source shows what it has: answers the whole time where it was the last one that failed. */
  sees(connection: string, source: string, now: number): Blind | undefined {
    this.#seen.set(`${connection} ${source}`, now);
    const known = this.#failing.get(connection);
    if (known === undefined || !known.sources.delete(source) || known.sources.size > 0) return undefined;
    this.#failing.delete(connection);
    return { since: known.since };
  }
}
