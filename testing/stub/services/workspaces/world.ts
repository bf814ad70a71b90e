import type { JsonValue } from "../../json";
import type { AgentToken, OauthClient, TeamAccess } from "./access-records";
import type { ConfigurationVersion, Notification, Run, RunTrigger } from "./run-records";
import type { Observed, Organization, Related, TokenOwner } from "./settings";

/** The holder of a workspace's lock. */
export interface LockHolder {
  readonly kind: "User" | "Team" | "Run";
  readonly id: string;
  readonly name: string;
}

export interface VcsRepo {
  readonly identifier: string;
  /** The credential for access to the repository; exactly one of the two is set, the other is null. */
  readonly oauthTokenId: string | null;
  readonly githubAppInstallationId: string | null;
  readonly branch: string;
  readonly ingressSubmodules: boolean;
  readonly tagsRegex: string | null;
}

export interface TagBinding {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

export interface StateVersion {
  readonly id: string;
  readonly finalizedAt: number | null;
}

/** An output of a workspace's current state. */
export interface StateOutput {
  readonly id: string;
  readonly name: string;
  readonly value: JsonValue;
  readonly sensitive: boolean;
}

export type RetentionPolicy =
  | { readonly id: string; readonly type: "data-retention-policy-delete-olders"; readonly days: number }
  | { readonly id: string; readonly type: "data-retention-policy-dont-deletes" };

/** One workspace. Records are immutable: a change puts a new record into its map. */
export interface Workspace {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  /** The name that the teams' access refers to: the original one, because a renamed workspace keeps its teams. */
  readonly accessName: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The attributes of the table in `attributes.ts`, by their wire names. */
  readonly plain: Readonly<Record<string, JsonValue>>;
  /** Null: the organization's default applies (`setting-overwrites.execution-mode` is false). */
  readonly executionMode: string | null;
  /** Null with `agentPoolOverwritten` false: the organization's default applies. */
  readonly agentPool: string | null;
  readonly agentPoolOverwritten: boolean;
  readonly vcsRepo: VcsRepo | null;
  readonly project: string;
  /** IDs of the organization's flat tags. */
  readonly tags: readonly string[];
  readonly tagBindings: readonly TagBinding[];
  readonly lock: { readonly holder: LockHolder; readonly reason: string } | null;
  readonly sshKey: string | null;
  readonly consumers: readonly string[];
  readonly retention: RetentionPolicy | null;
  readonly resourceCount: number;
  readonly processingUntil: number;
  readonly currentStateVersion: string | null;
  readonly intermediateStateVersions: readonly StateVersion[];
  readonly outputs: readonly StateOutput[];
  readonly currentRun: { readonly id: string; readonly status: string; readonly createdAt: number } | null;
  readonly observed: Observed;
  readonly related: Related;
}

export interface Tag {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface RegistryProvider {
  readonly id: string;
  readonly organization: string;
  readonly registryName: "public" | "private";
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: number;
  readonly versions: readonly string[];
}

/** A variable of a workspace or a variable set. The server never shows the value of a sensitive one. */
export interface Variable {
  readonly id: string;
  /** The ID of the workspace or the variable set. */
  readonly owner: string;
  readonly createdAt: number;
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
  readonly category: string;
  readonly hcl: boolean;
  readonly sensitive: boolean;
  /** Another value after each update. */
  readonly version: string;
}

/** A project, an agent pool, an SSH key, a variable set or a team of an organization. */
export interface OrganizationObject {
  readonly id: string;
  readonly type: "projects" | "agent-pools" | "ssh-keys" | "varsets" | "teams";
  readonly organization: string;
  readonly name: string;
  readonly createdAt: number;
  /** The other attributes, by their wire names. */
  readonly attributes: Readonly<Record<string, JsonValue>>;
  /** The IDs of the objects that it refers to, by the relationship. */
  readonly related: Readonly<Record<string, readonly string[]>>;
  /** Key-value tags; only projects have them. */
  readonly tagBindings: readonly TagBinding[];
}

/** A public key for the signatures of a private registry's providers. */
export interface GpgKey {
  /** A number, as text. */
  readonly id: string;
  readonly namespace: string;
  /** The ID by which requests name it: 16 hexadecimal digits. */
  readonly keyId: string;
  readonly asciiArmor: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A version of a private provider, with the content of its files (base64); null before the upload. */
export interface ProviderVersion {
  readonly id: string;
  /** The ID of the provider. */
  readonly provider: string;
  readonly version: string;
  readonly keyId: string;
  readonly protocols: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly shasums: string | null;
  readonly signature: string | null;
}

/** A platform of a version, with the content of its file (base64); null before the upload. */
export interface ProviderPlatform {
  readonly id: string;
  /** The ID of the version. */
  readonly version: string;
  readonly os: string;
  readonly arch: string;
  readonly filename: string;
  readonly shasum: string;
  readonly binary: string | null;
}

/** The complete state of the server. */
export class World {
  constructor(
    readonly tokens: Map<string, TokenOwner> = new Map(),
    readonly organizations: Map<string, Organization> = new Map(),
    readonly workspaces: Map<string, Workspace> = new Map(),
    readonly tags: Map<string, Tag> = new Map(),
    readonly providers: Map<string, RegistryProvider> = new Map(),
    readonly publicProviders: Map<string, readonly string[]> = new Map(),
    readonly variables: Map<string, Variable> = new Map(),
    readonly objects: Map<string, OrganizationObject> = new Map(),
    readonly gpgKeys: Map<string, GpgKey> = new Map(),
    readonly providerVersions: Map<string, ProviderVersion> = new Map(),
    readonly providerPlatforms: Map<string, ProviderPlatform> = new Map(),
    readonly runs: Map<string, Run> = new Map(),
    readonly agentTokens: Map<string, AgentToken> = new Map(),
    readonly oauthClients: Map<string, OauthClient> = new Map(),
    readonly runTriggers: Map<string, RunTrigger> = new Map(),
    readonly notifications: Map<string, Notification> = new Map(),
    readonly teamAccesses: Map<string, TeamAccess> = new Map(),
    readonly configurationVersions: Map<string, ConfigurationVersion> = new Map(),
  ) {}

  /** A copy that later changes to this state do not affect; cheap, because records are immutable. */
  copy(): World {
    return new World(
      new Map(this.tokens),
      new Map(this.organizations),
      new Map(this.workspaces),
      new Map(this.tags),
      new Map(this.providers),
      new Map(this.publicProviders),
      new Map(this.variables),
      new Map(this.objects),
      new Map(this.gpgKeys),
      new Map(this.providerVersions),
      new Map(this.providerPlatforms),
      new Map(this.runs),
      new Map(this.agentTokens),
      new Map(this.oauthClients),
      new Map(this.runTriggers),
      new Map(this.notifications),
      new Map(this.teamAccesses),
      new Map(this.configurationVersions),
    );
  }

  /** Removes a version of a private provider, with its platforms. */
  removeVersion(id: string): void {
    this.providerVersions.delete(id);
    for (const platform of [...this.providerPlatforms.values()])
      if (platform.version === id) this.providerPlatforms.delete(platform.id);
  }

  workspaceByName(organization: string, name: string): Workspace | undefined {
    for (const workspace of this.workspaces.values()) {
      if (workspace.organization === organization && workspace.name === name) return workspace;
    }
    return undefined;
  }

  tagByName(organization: string, name: string): Tag | undefined {
    for (const tag of this.tags.values()) {
      if (tag.organization === organization && tag.name === name) return tag;
    }
    return undefined;
  }
}
