import type { HttpResponse } from "../http/request";

/**
 * Facts about services whose servers form a cluster in which each server answers requests itself if it can, possibly with
 * data older than the latest write.
 */
export interface Cluster {
  readonly state: StateHeader;
  /** The request that finds the active server, which takes the writes. Its path is relative to the service's prefix. */
  readonly active: { readonly path: string; tells(answer: HttpResponse): ActiveServer };
}

/**
 * The header that identifies the server state behind a response. A later request sends it to rule out responses from an
 * older state.
 */
export interface StateHeader {
  /** The header's name, in lower case. */
  readonly name: string;
  /** Further headers of such a request: how a server that is behind must handle it. */
  readonly beside: Readonly<Record<string, string>>;
  /** The states to require next: the known states combined with the one in the latest response. */
  latest(known: readonly string[], answered: string): readonly string[];
}

/** The active server, as one server reports it. */
export interface ActiveServer {
  /** False if there is only one server, or if the servers do not form a cluster. */
  readonly isClustered: boolean;
  /** True if the server that answered is the active server. */
  readonly isSelf: boolean;
  /** The address that the active server advertises; undefined while no server is active. */
  readonly address: string | undefined;
}

/**
 * Facts about services that write objects in one place, the primary, and copy them to other places. Each copy has indexes of
 * its own.
 */
export interface Replication {
  /** The service's term for such a place: `datacenter`. */
  readonly place: string;
  /** The query parameter that selects the place. */
  readonly parameter: string;
  /** The setting that names the primary. */
  readonly setting: string;
  /** The requests that find the primary, in the order of the attempts. Their paths are relative to the service's prefix. */
  readonly asked: readonly PrimaryQuestion[];
}

/** Replaces the name of the server's own place if the response does not contain it. */
export const OWN = "";

/** A request that finds the primary. */
export interface PrimaryQuestion {
  readonly path: string;
  /** The primary's name, or {@link OWN}; undefined if the response does not report it. */
  tells(answer: HttpResponse): string | undefined;
}

/** Patterns for the error messages of a cluster without a leader. */
export interface Leaderless {
  /** Matches if no server carried out the request, neither a read nor a write. */
  readonly absent: RegExp;
  /** Matches if the cluster lost the leader that had the request; unset if a cluster never reports that. */
  readonly lost?: RegExp;
  /** Matches if a leader is too new to serve reads. */
  readonly unready?: RegExp;
}

/** Messages of servers that forward requests to a leader, which they elect among themselves. */
export const FORWARDING = {
  absent: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn/,
  lost: /leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/,
  unready: /Not ready to serve consistent reads/,
} as const satisfies Leaderless;

/**
 * True if the service itself rejected the request with a 500. If the cluster lost the leader that had the request, the next
 * leader can still apply the write, so such a response is not a rejection.
 */
export function isOwnRefusal(
  {
    isOwnError,
    leaderless,
  }: { isOwnError(answer: HttpResponse): boolean; readonly leaderless?: Leaderless | undefined },
  answer: HttpResponse,
): boolean {
  return answer.status === 500 && isOwnError(answer) && leaderless?.lost?.test(answer.text) !== true;
}
