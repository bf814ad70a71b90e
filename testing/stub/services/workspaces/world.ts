import type { JsonValue } from "../../json";
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

/** The complete state of the server. */
export class World {
  constructor(
    readonly tokens: Map<string, TokenOwner> = new Map(),
    readonly organizations: Map<string, Organization> = new Map(),
    readonly workspaces: Map<string, Workspace> = new Map(),
    readonly tags: Map<string, Tag> = new Map(),
    readonly providers: Map<string, RegistryProvider> = new Map(),
    readonly publicProviders: Map<string, readonly string[]> = new Map(),
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
    );
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
