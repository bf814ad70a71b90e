import type { RateLimit } from "../../request-windows";

/** The switches that a test can set, at the start or later; each defaults to the specification's behavior. */
export interface MeshSwitches {
  /** `real` uses Consul's header names. */
  readonly dialect: "neutral" | "real";
  /** The datacenter of the agent that receives the requests. */
  readonly datacenter: string;
  /** The partition of the agent that receives the requests (enterprise edition). */
  readonly partition: string;
  /** The datacenter that takes all writes and that the others replicate; `""`: the datacenters are independent. */
  readonly primaryDatacenter: string;
  /** The delay until the other datacenters show a write. */
  readonly copiedAfterMilliseconds: number;
  /** False: ACLs are disabled, and every request may do everything. */
  readonly acl: boolean;
  /** Add the server's own fields to reads: empty structures, `Partition`, `Namespace`, `Hash`, `Status`. */
  readonly adds: boolean;
  /** Normalize stored entries: cases, weights, durations, precedence, no zero values. */
  readonly normalizes: boolean;
  /** Run the controller that binds routes to gateways and reports the result in their `Status`. */
  readonly reconciles: boolean;
  /**
   * `community` has no namespaces, partitions, sameness groups or rate limits. Defaults to `community` in the dialect
   * `real`, else to `enterprise`.
   */
  readonly edition?: "community" | "enterprise" | undefined;
  /**
   * False: an entry of kind `mesh` may not have a `Name`, as in Consul. Defaults to false in the dialect `real`, else to
   * true.
   */
  readonly meshHasName?: boolean | undefined;
  /** True: a certificate must be valid and match its key, as in Consul. */
  readonly readsCertificates: boolean;
  /** The release of Consul: 1.22 rejects the members that later releases added. */
  readonly release: "1.22" | "later";
  /** Requests per window and token, by the mock server's clock; null means no limit. */
  readonly rateLimit: RateLimit | null;
  /** How far the server that answers a stale read lags behind, as its header reports. */
  readonly lastContactMilliseconds: number;
  /** True: a stale read returns the state before the latest write. */
  readonly followersLag: boolean;
  /** False: only stale reads succeed. */
  readonly knownLeader: boolean;
}
