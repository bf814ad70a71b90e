import type { AuthData } from "./auth/records";
import { type CloudData, newCloud } from "./cloud/records";
import { type DirectoryData, newDirectory } from "./directory/records";
import type { Enforcement, Entity, Group, IdentityAlias, MfaMethod } from "./identity/records";
import { type KvData, newKv } from "./kv/records";
import { newQueue, type QueueData } from "./queue/records";
import { type Recovery, recoveryWith } from "./rekey/records";
import type { EngineType, PasswordPolicy, Policy, Token } from "./settings";

/** One mounted engine and its state. Records are immutable; maps contain the latest. */
export type Mount = EngineState & { readonly entry: MountEntry };

type EngineState =
  | { readonly type: "queue"; readonly data: QueueData }
  | { readonly type: "cloud"; readonly data: CloudData }
  | { readonly type: "directory"; readonly data: DirectoryData }
  /** A KV engine of version 2. */
  | { readonly type: "kv"; readonly data: KvData }
  /** An engine without endpoints in the stub. */
  | { readonly type: "other"; readonly data: Readonly<Record<string, never>> };

/** A row of the table of secrets engines or of auth methods. */
export interface MountEntry {
  /** The product's name of the type, for example `rabbitmq`. */
  readonly type: string;
  readonly accessor: string;
  readonly uuid: string;
  readonly description: string;
  readonly local: boolean;
  readonly sealWrap: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The place of a mount, as a remount names it. */
export interface MountPlace {
  readonly table: "mounts" | "auth";
  /** The path in the table. */
  readonly path: string;
  /** The path with `auth/` in front of an auth method. */
  readonly full: string;
}

/** A mount that moves to another path. */
export interface Move {
  readonly namespace: string;
  readonly from: MountPlace;
  readonly to: MountPlace;
  /** The end of the move, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** True once the mount is at its new path. */
  readonly hasEnded: boolean;
}

/** An ACL policy. Vault stores the text only; OpenBao 2.3.1 and later store the rest, too. */
export interface AclPolicy {
  readonly text: string;
  readonly version: number;
  readonly casRequired: boolean;
  /** The end of the policy, as written. */
  readonly expiration?: string;
  readonly modifiedAt: number;
}

/** One namespace: an independent tree, which also sees its parents' MFA methods and enforcements. */
export interface Namespace {
  readonly id: string;
  /** Without leading and trailing slashes; the root namespace is `""`. */
  readonly path: string;
  readonly mounts: Map<string, Mount>;
  readonly authMethods: Map<string, MountEntry>;
  readonly authData: AuthData;
  readonly methods: Map<string, MfaMethod>;
  readonly enforcements: Map<string, Enforcement>;
  readonly entities: Map<string, Entity>;
  readonly entityAliases: Map<string, IdentityAlias>;
  readonly groups: Map<string, Group>;
  readonly groupAliases: Map<string, IdentityAlias>;
  readonly aclPolicies: Map<string, AclPolicy>;
  /** Text values that describe the namespace. */
  readonly customMetadata: Readonly<Record<string, string>>;
  /** When the deletion of its contents ends, in milliseconds since the epoch; undefined unless it is deleted. */
  readonly deletedAt?: number;
  readonly uuid: string;
  /** The texts of password policies by name, as written with requests. */
  readonly passwordPolicies: Map<string, string>;
}

/** One lease. The engine that issued it checks the time and handles its end. */
export interface Lease {
  readonly id: string;
  readonly issuedAt: number;
  /** The duration of the issue or of the latest renewal. */
  readonly seconds: number;
  readonly renewedAt?: number;
  readonly isRenewable: boolean;
  /** The maximum duration from its issue in seconds, including renewals. */
  readonly longest: number;
}

/** The end of a lease, in milliseconds since the epoch. */
export function endOf({ issuedAt, renewedAt = issuedAt, seconds }: Lease): number {
  return renewedAt + seconds * 1000;
}

/** A response stored under a token that can unwrap it once. */
export interface Wrapping {
  readonly token: string;
  readonly accessor: string;
  /** The path of the wrapped request. */
  readonly path: string;
  readonly wrappedAt: number;
  readonly seconds: number;
  readonly body: object;
}

/** The complete state of the server. */
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
    /** The recovery key and its rekey in progress. */
    public recovery: Recovery = recoveryWith(),
    /** Groups, entities and auth mounts. Null: every name is known. */
    public identityIds: readonly string[] | null = null,
    /** Wrapped responses by token. */
    readonly wrappings: Map<string, Wrapping> = new Map(),
    /** The moves of mounts by ID. */
    readonly moves: Map<string, Move> = new Map(),
    /** Values of fields beyond the specification, by object. */
    readonly furtherFields: Map<string, Readonly<Record<string, unknown>>> = new Map(),
  ) {}

  /** A copy that later changes to this state do not affect; cheap, because records are immutable. */
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
      new Map(this.moves),
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

/** True if `path` equals `ancestor` or is below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === "" || path === ancestor || path.startsWith(`${ancestor}/`);
}

export function newMount(type: EngineType | "other", entry: MountEntry): Mount {
  switch (type) {
    case "queue":
      return { type, entry, data: newQueue() };
    case "cloud":
      return { type, entry, data: newCloud() };
    case "directory":
      return { type, entry, data: newDirectory() };
    case "kv":
      return { type, entry, data: newKv() };
    case "other":
      return { type, entry, data: {} };
  }
}

function copyNamespace(namespace: Namespace): Namespace {
  return {
    ...namespace,
    mounts: new Map([...namespace.mounts].map(([path, mount]) => [path, copyMount(mount)])),
    authMethods: new Map(namespace.authMethods),
    authData: copyMaps(namespace.authData),
    methods: new Map(namespace.methods),
    enforcements: new Map(namespace.enforcements),
    entities: new Map(namespace.entities),
    entityAliases: new Map(namespace.entityAliases),
    groups: new Map(namespace.groups),
    groupAliases: new Map(namespace.groupAliases),
    aclPolicies: new Map(namespace.aclPolicies),
    passwordPolicies: new Map(namespace.passwordPolicies),
  };
}

function copyMount(mount: Mount): Mount {
  switch (mount.type) {
    case "queue":
      return { ...mount, data: copyMaps(mount.data) };
    case "cloud":
      return { ...mount, data: copyMaps(mount.data) };
    case "directory":
      return { ...mount, data: copyMaps(mount.data) };
    case "kv":
      return { ...mount, data: copyMaps(mount.data) };
    case "other":
      return mount;
  }
}

/** A copy of an engine's data: its maps are copied, everything else is immutable. */
function copyMaps<Data extends object>(data: Data): Data {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    value instanceof Map ? new Map(value) : value,
  ]);
  // The copy has the same keys, with values of the same types.
  return Object.fromEntries(entries) as Data;
}
