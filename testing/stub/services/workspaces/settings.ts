import { z } from "zod";
import { rateLimit } from "../../rate-limit";
import type { WorkspacesSwitches } from "./switches";

/** The schema of {@link WorkspacesSwitches}, which documents each switch. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("real"),
  errorForm: z.enum(["objects", "strings"]).default("objects"),
  nameTakenStatus: z.union([z.literal(422), z.literal(409)]).default(422),
  safeDeleteExists: z.boolean().default(true),
  tagBindingsExist: z.boolean().default(true),
  storesOverwrites: z.boolean().default(true),
  refusesEmptiedTwins: z.boolean().default(true),
  showsLockHolder: z.boolean().default(true),
  lockConflictIsEmpty: z.boolean().default(false),
  publicCuration: z.boolean().default(true),
  processingMilliseconds: z.int().nonnegative().default(0),
  globalRemoteStateDefault: z.boolean().default(false),
  latestEngineVersion: z.string().default("1.9.8"),
  planResult: z.enum(["changes", "none", "error", "policy"]).default("changes"),
  runPhaseMilliseconds: z.int().nonnegative().default(0),
  rateLimit,
}) satisfies z.ZodType<WorkspacesSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

/** A team's access to one workspace: a named level, or its single permissions. */
export const WorkspaceAccess = z.union([
  z.enum(["read", "plan", "write", "admin"]),
  z.strictObject({
    runs: z.boolean().default(false),
    plan: z.boolean().default(false),
    write: z.boolean().default(false),
    locking: z.boolean().default(false),
    variables: z.enum(["none", "read", "write"]).default("none"),
    outputs: z.boolean().default(false),
  }),
]);
export type WorkspaceAccess = Readonly<z.output<typeof WorkspaceAccess>>;

export const Team = z.strictObject({
  manageWorkspaces: z.boolean().default(false),
  manageRegistry: z.boolean().default(false),
  manageProjects: z.boolean().default(false),
  manageAgentPools: z.boolean().default(false),
  manageVcsSettings: z.boolean().default(false),
  manageTeams: z.boolean().default(false),
  /** The permissions to create workspaces in a project, and to move workspaces into or out of it, by the project's ID. */
  projects: z
    .record(
      z.string(),
      z.strictObject({ create: z.boolean().default(false), move: z.boolean().default(false) }),
    )
    .default({}),
  /** By workspace name. */
  workspaces: z.record(z.string(), WorkspaceAccess).default({}),
});
export type Team = Readonly<z.output<typeof Team>>;

export const Organization = z.strictObject({
  /** Only the `plus` tier has health assessments. */
  tier: z.enum(["standard", "plus"]).default("plus"),
  assessmentsEnforced: z.boolean().default(false),
  defaultExecutionMode: z.enum(["remote", "local", "agent"]).default("remote"),
  defaultAgentPool: z.string().nullable().default(null),
  /** The organization's data retention policy in days, which a workspace without a policy shows; null if there is none. */
  retentionDays: z.int().nullable().default(null),
  /** False: only owners may force the deletion of a workspace. */
  allowForceDelete: z.boolean().default(true),
  /** IDs; the first project is the default one. */
  projects: z.array(z.string()).min(1).default(["prj-default", "prj-platform"]),
  agentPools: z.array(z.string()).default(["apool-general", "apool-large"]),
  sshKeys: z.array(z.string()).default(["sshkey-deploy", "sshkey-modules"]),
  variableSets: z.array(z.string()).default([]),
  oauthTokens: z
    .record(
      z.string(),
      z.strictObject({ serviceProvider: z.string(), clientName: z.string(), url: z.string() }),
    )
    .default({
      "ot-code": { serviceProvider: "github", clientName: "code", url: "https://code.example.com" },
    }),
  /** Installations of the GitHub App, by ID; only user tokens can use them. */
  githubAppInstallations: z.array(z.string()).default(["ghain-code"]),
  /** The team `owners` always exists. */
  teams: z.record(z.string(), Team).default({}),
});
export type Organization = Readonly<z.output<typeof Organization>>;

/** The owner of a token. A user's organizations list the user's teams in each. */
export const TokenOwner = z.union([
  z.strictObject({ user: z.string(), organizations: z.record(z.string(), z.array(z.string())) }),
  z.strictObject({ team: z.string(), organization: z.string() }),
  z.strictObject({ organization: z.string() }),
]);
export type TokenOwner = Readonly<z.output<typeof TokenOwner>>;

const StateVersion = z.strictObject({
  id: z.string(),
  /** The time of its finalization by the mock server's clock; null means never. */
  finalizedAt: z.number().nullable().default(0),
});

const Holder = z.union([
  z.strictObject({ user: z.string() }),
  z.strictObject({ team: z.string() }),
  z.strictObject({ run: z.string() }),
]);

/**
 * The attributes "present only in responses" that result from runs and time, by their wire names; absent ones are null or
 * empty.
 */
const Observed = z
  .strictObject({
    "apply-duration-average": z.number(),
    "plan-duration-average": z.number(),
    "auto-destroy-status": z.string(),
    "last-assessment-result-at": z.string(),
    "policy-check-failures": z.number(),
    "run-failures": z.number(),
  })
  .partial();

/** The runs, configurations and other objects that a workspace refers to, by ID. */
const Related = z
  .strictObject({
    "current-configuration-version": z.string(),
    "current-assessment-result": z.string(),
    readme: z.string(),
    outputs: z.array(z.string()),
    vars: z.array(z.string()),
  })
  .partial();

/**
 * Changes by runs, operators or time that no endpoint of the specification can make. Creates a missing workspace with
 * defaults first.
 */
export const WorkspaceSeed = z.strictObject({
  organization: z.string(),
  name: z.string(),
  /** The ID of a workspace that the seed creates; defaults to a new one. */
  id: z.string().optional(),
  /** Attributes as in a create's body. */
  attributes: z.record(z.string(), z.unknown()).optional(),
  project: z.string().optional(),
  resourceCount: z.int().nonnegative().optional(),
  lockedBy: Holder.nullable().optional(),
  lockedReason: z.string().optional(),
  /** The end of its processing ("is being processed") by the mock server's clock. */
  processingUntil: z.number().optional(),
  currentStateVersion: z.string().nullable().optional(),
  intermediateStateVersions: z.array(StateVersion).optional(),
  /** The outputs of the current state version, without which the workspace gets one. */
  outputs: z
    .array(z.strictObject({ name: z.string(), value: z.unknown(), sensitive: z.boolean().default(false) }))
    .optional(),
  currentRun: z
    .strictObject({ id: z.string(), status: z.string(), createdAt: z.number() })
    .nullable()
    .optional(),
  observed: Observed.optional(),
  related: Related.optional(),
});
export type Observed = Readonly<z.output<typeof Observed>>;
export type Related = Readonly<z.output<typeof Related>>;
export type WorkspaceSeed = Readonly<z.output<typeof WorkspaceSeed>>;

const ProviderSeed = z.strictObject({
  organization: z.string(),
  registryName: z.enum(["public", "private"]),
  namespace: z.string(),
  name: z.string(),
  /** IDs of versions (`provver-…`); private providers only. */
  versions: z.array(z.string()).default([]),
});

const KeySeed = z.strictObject({ namespace: z.string(), asciiArmor: z.string() });

const VersionSeed = z.strictObject({
  organization: z.string(),
  /** The name of an existing private provider. */
  name: z.string(),
  version: z.string(),
  keyId: z.string(),
});

/** The state before the first request, or a test's later additions. */
export const Seed = z.strictObject({
  tokens: z.record(z.string(), TokenOwner).default({}),
  /** By name; for an existing organization, omitted settings keep their values. */
  organizations: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  workspaces: z.array(WorkspaceSeed).default([]),
  registryProviders: z.array(ProviderSeed).default([]),
  gpgKeys: z.array(KeySeed).default([]),
  /** Versions without files. */
  providerVersions: z.array(VersionSeed).default([]),
  /** The contents of the proxied public registry: `namespace/name` to versions. */
  publicProviders: z.record(z.string(), z.array(z.string())).default({}),
});
export type Seed = Readonly<z.output<typeof Seed>>;
