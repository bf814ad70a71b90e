import type { RateLimit } from "../../request-windows";

/** What a test may switch, at the start or later; every one has the specification's default. */
export interface MeshSwitches {
  /** `real` uses the header names of the real product. */
  readonly dialect: "neutral" | "real";
  /** The datacenter of the agent that answers. */
  readonly datacenter: string;
  /** The partition of the agent that answers (enterprise edition). */
  readonly partition: string;
  /** The datacenter in which entries are written, and from which the others copy them; `""`: each stands by itself. */
  readonly primaryDatacenter: string;
  /** How long after a write the other datacenters show it. */
  readonly copiedAfterMilliseconds: number;
  /** False: ACLs are not enabled, and every request may do everything. */
  readonly acl: boolean;
  /** Whether reads carry what the service adds: empty structures, `Partition`, `Namespace`, `Hash`, `Status`. */
  readonly adds: boolean;
  /** Whether entries are stored in the service's own spelling: cases, weights, durations, precedence, no zeros. */
  readonly normalises: boolean;
  /** Whether the service itself binds routes to gateways, and says so in their `Status`. */
  readonly reconciles: boolean;
  /** `community` has no namespaces, partitions, sameness groups or rate limits. By itself as the dialect has it: `real` means it. */
  readonly edition?: "community" | "enterprise" | undefined;
  /** False: a body of kind `mesh` may not hold a `Name`, as in the real product. By itself as the dialect has it. */
  readonly meshHasName?: boolean | undefined;
  /** True: a certificate must be one, and its key must fit it, as the real product has it. */
  readonly readsCertificates: boolean;
  /** Requests per window and token, by the stub's clock; null is no limit. */
  readonly rateLimit: RateLimit | null;
  /** How far the server that answers a stale read is behind, as its header says. */
  readonly lastContactMilliseconds: number;
  /** True: a stale read is answered from before the latest write. */
  readonly followersLag: boolean;
  /** False: only stale reads are answered. */
  readonly knownLeader: boolean;
}
