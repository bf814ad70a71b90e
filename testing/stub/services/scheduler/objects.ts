import { createHash } from "node:crypto";
import { anything, flag, integer, list, map, optional, slice, struct, text } from "./shape/field";

/** What a region stores of an object: also the hash of its members, and the indexes of its first and latest write. */
type Stored<Members> = Members & {
  readonly Hash: string;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
};

/** An object as a write at this index stores it. */
export function stored<Members>(
  members: Members,
  before: { readonly CreateIndex: number } | undefined,
  index: number,
): Stored<Members> {
  const Hash = createHash("sha256").update(JSON.stringify(members)).digest("base64");
  return { ...members, Hash, CreateIndex: before?.CreateIndex ?? index, ModifyIndex: index };
}

/** The objects whose member begins with the request's `prefix`, in the order of that member. */
export function withPrefix<Key extends string, One extends Readonly<Record<Key, string>>>(
  { query }: { readonly query: URLSearchParams },
  objects: Iterable<One>,
  key: Key,
): One[] {
  const prefix = query.get("prefix") ?? "";
  return [...objects]
    .filter((one) => one[key].startsWith(prefix))
    .sort((left, right) => (left[key] < right[key] ? -1 : 1));
}

/** The form of a name of namespaces, policies and roles. */
export const NAME = /^[a-zA-Z0-9-]{1,128}$/;

/** The problem of a description that is too long. */
export const descriptionErrors = (Description = ""): string[] =>
  Buffer.byteLength(Description) > 256 ? ["description longer than 256"] : [];

// "If an empty list is provided only the namespace's default node pool is allowed" (`nomad/structs/structs.go`).
const governed = struct({ Default: text(), Allowed: slice(text()), Denied: slice(text()) });

export const namespaceShape = struct({
  Name: text(),
  Description: text(),
  Quota: text(),
  Capabilities: optional(
    struct({
      EnabledTaskDrivers: list(text()),
      DisabledTaskDrivers: list(text()),
      EnabledNetworkModes: list(text()),
      DisabledNetworkModes: list(text()),
    }),
  ),
  NodePoolConfiguration: optional(governed),
  VaultConfiguration: optional(governed),
  ConsulConfiguration: optional(governed),
  Meta: map(text()),
  RequiredExtraClaims: map(text()),
  OptionalExtraClaims: map(text()),
});

/** A namespace as a response contains it. */
export type Namespace = Stored<ReturnType<typeof namespaceShape.fill>>;

/** A namespace with only a name, and the namespace that every region has. */
export function namespaceNamed(name: string, index = 1): Namespace {
  const Description = name === "default" ? "Default shared namespace" : "";
  return stored(namespaceShape.fill({ Name: name, Description }), undefined, index);
}

export const nodePoolShape = struct({
  Name: text(),
  Description: text(),
  Meta: map(text()),
  SchedulerConfiguration: optional(
    struct({ SchedulerAlgorithm: text(), MemoryOversubscriptionEnabled: optional(flag()) }),
  ),
  // A duration: a string or nanoseconds.
  NodeIdentityTTL: anything(),
});

/** A node pool as a response contains it. */
export type NodePool = Omit<ReturnType<typeof nodePoolShape.fill>, "NodeIdentityTTL"> & {
  readonly NodeIdentityTTL: number;
  /** Null for the pools that every region has. */
  readonly Hash: string | null;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
};

export const DAY = 86_400_000_000_000;

export const BUILT_IN_POOLS: Readonly<Record<string, string>> = {
  all: "Node pool with all nodes in the cluster.",
  default: "Default node pool.",
};

/** A node pool with only a name, and the pools that every region has. */
export function nodePoolNamed(name: string): NodePool {
  const Description = BUILT_IN_POOLS[name] ?? "";
  return {
    ...nodePoolShape.fill({ Name: name, Description }),
    NodeIdentityTTL: DAY,
    Hash: null,
    CreateIndex: 1,
    ModifyIndex: 1,
  };
}

export const policyShape = struct({
  Name: text(),
  Description: text(),
  Rules: text(),
  JobACL: optional(struct({ Namespace: text(), JobID: text(), Group: text(), Task: text() })),
});

/** A policy as a response contains it. The mock server does not parse its rules. */
export type AclPolicy = Stored<ReturnType<typeof policyShape.fill>>;

export const roleShape = struct({
  ID: text(),
  Name: text(),
  Description: text(),
  Policies: list(struct({ Name: text() })),
});

/** A role as a response contains it. */
export type AclRole = Stored<ReturnType<typeof roleShape.fill>>;

export const tokenShape = struct({
  AccessorID: text(),
  SecretID: text(),
  Name: text(),
  Type: text(),
  Policies: list(text()),
  Roles: list(struct({ ID: text(), Name: text() })),
  Global: flag(),
  // Times, and a duration: strings, or null.
  CreateTime: anything(),
  ExpirationTime: anything(),
  ExpirationTTL: anything(),
});

/** An ACL token as the region stores it. */
export type AclToken = Stored<
  Omit<ReturnType<typeof tokenShape.fill>, "CreateTime" | "ExpirationTime" | "ExpirationTTL"> & {
    readonly CreateTime: string;
    readonly ExpirationTime: string | null;
    readonly ExpirationTTL: string;
  }
>;

const constraintShape = struct({ LTarget: text(), RTarget: text(), Operand: text() });

export const volumeShape = struct({
  Namespace: text(),
  ID: text(),
  Name: text(),
  PluginID: text(),
  NodePool: text(),
  NodeID: text(),
  Constraints: list(constraintShape),
  RequestedCapacityMinBytes: integer(),
  RequestedCapacityMaxBytes: integer(),
  CapacityBytes: integer(),
  RequestedCapabilities: list(struct({ AttachmentMode: text(), AccessMode: text() })),
  Parameters: map(text()),
  HostPath: text(),
});

/** A dynamic host volume as the region stores it. */
export type HostVolume = ReturnType<typeof volumeShape.fill> & {
  readonly State: "pending" | "ready";
  readonly CreateIndex: number;
  readonly CreateTime: number;
  readonly ModifyIndex: number;
  readonly ModifyTime: number;
};

interface Lock {
  readonly ID: string;
  readonly TTL: string;
  readonly LockDelay: string;
}

/** A variable as a response contains it. */
export interface Variable {
  readonly Namespace: string;
  readonly Path: string;
  readonly Items?: Readonly<Record<string, string>>;
  readonly Lock?: Lock;
  readonly CreateIndex: number;
  readonly CreateTime: number;
  readonly ModifyIndex: number;
  readonly ModifyTime: number;
}
