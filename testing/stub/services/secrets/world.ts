import { type CloudData, newCloud } from "./cloud/records";
import { type DirectoryData, newDirectory } from "./directory/records";
import type { Enforcement, MfaMethod } from "./identity/records";
import { newQueue, type QueueData } from "./queue/records";
import { type Recovery, sealedWith } from "./rekey/records";
import type { EngineType, PasswordPolicy, Policy, Token } from "./settings";

/** One mounted engine and what it stores. Records are never changed in place; maps hold the latest. */
export type Mount =
  | { readonly type: "queue"; readonly data: QueueData }
  | { readonly type: "cloud"; readonly data: CloudData }
  | { readonly type: "directory"; readonly data: DirectoryData };

/** One namespace: a tree of its own, whose parents' MFA methods and enforcements it sees. */
export interface Namespace {
  readonly id: string;
  /** Without slashes around it; the root namespace is `""`. */
  readonly path: string;
  readonly mounts: Map<string, Mount>;
  readonly methods: Map<string, MfaMethod>;
  readonly enforcements: Map<string, Enforcement>;
}

/** One lease: what ends when it does is the engine's business, which asks for the time. */
export interface Lease {
  readonly id: string;
  readonly issuedAt: number;
  /** For how long it was issued, or renewed last. */
  readonly seconds: number;
  readonly renewedAt?: number;
  readonly isRenewable: boolean;
  /** Seconds from its issue that it can last at most, renewals included. */
  readonly longest: number;
}

/** When a lease ends, in milliseconds since the epoch. */
export function endOf({ issuedAt, renewedAt = issuedAt, seconds }: Lease): number {
  return renewedAt + seconds * 1000;
}

/** An answer that is kept under a token, for whoever unwraps it once. */
export interface Wrapping {
  readonly token: string;
  readonly accessor: string;
  /** Where the answer was made. */
  readonly path: string;
  readonly wrappedAt: number;
  readonly seconds: number;
  readonly body: object;
}

/** Everything the service knows. */
export class World {
  constructor(
    readonly tokens: Map<string, Token> = new Map(),
    readonly policies: Map<string, Policy> = new Map(),
    readonly namespaces: Map<string, Namespace> = new Map(),
    readonly leases: Map<string, Lease> = new Map(),
    readonly authTypes: Set<string> = new Set(),
    readonly passwordPolicies: Map<string, PasswordPolicy> = new Map(),
    /** Null: every account exists in the directory. */
    public directoryAccounts: readonly string[] | null = null,
    /** The recovery key and what is being done to it. */
    public recovery: Recovery = sealedWith(),
    /** Groups, entities and auth mounts. Null: every one that is named is known. */
    public identityIds: readonly string[] | null = null,
    /** Wrapped answers by their tokens. */
    readonly wrappings: Map<string, Wrapping> = new Map(),
    /** What objects have set of fields beyond the specification, by the objects. */
    readonly furtherFields: Map<string, Readonly<Record<string, unknown>>> = new Map(),
  ) {}

  /** The same world, later changes to this one aside; cheap, because records are never changed in place. */
  copy(): World {
    return new World(
      new Map(this.tokens),
      new Map(this.policies),
      new Map([...this.namespaces].map(([path, namespace]) => [path, copyNamespace(namespace)])),
      new Map(this.leases),
      new Set(this.authTypes),
      new Map(this.passwordPolicies),
      this.directoryAccounts,
      this.recovery,
      this.identityIds,
      new Map(this.wrappings),
      new Map(this.furtherFields),
    );
  }

  /** The namespace and its parents, the nearest first. */
  lineage(namespace: Namespace): readonly Namespace[] {
    return [...this.namespaces.values()]
      .filter(({ path }) => isWithin(namespace.path, path))
      .sort((left, right) => right.path.length - left.path.length);
  }
}

/** True where `path` is `ancestor` or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === "" || path === ancestor || path.startsWith(`${ancestor}/`);
}

export function newMount(type: EngineType): Mount {
  switch (type) {
    case "queue":
      return { type, data: newQueue() };
    case "cloud":
      return { type, data: newCloud() };
    case "directory":
      return { type, data: newDirectory() };
  }
}

function copyNamespace(namespace: Namespace): Namespace {
  return {
    ...namespace,
    mounts: new Map([...namespace.mounts].map(([path, mount]) => [path, copyMount(mount)])),
    methods: new Map(namespace.methods),
    enforcements: new Map(namespace.enforcements),
  };
}

function copyMount(mount: Mount): Mount {
  switch (mount.type) {
    case "queue":
      return { type: mount.type, data: copyMaps(mount.data) };
    case "cloud":
      return { type: mount.type, data: copyMaps(mount.data) };
    case "directory":
      return { type: mount.type, data: copyMaps(mount.data) };
  }
}

/** A copy of an engine's data: its maps are copied, everything else is immutable. */
function copyMaps<Data extends object>(data: Data): Data {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    value instanceof Map ? new Map(value) : value,
  ]);
  // The copy has the same keys, with values of the same kinds.
  return Object.fromEntries(entries) as Data;
}
