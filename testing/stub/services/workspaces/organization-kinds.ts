import type { JsonValue } from "../../json";
import type { Caller } from "./callers";
import type { OrganizationObject, Workspace } from "./world";

/** The name and the kind of one attribute, and its value in a create without it. */
export interface Attribute {
  readonly kind: "string" | "boolean" | "activity duration" | "flags" | readonly string[];
  readonly initially: JsonValue;
  /** True if no response contains it, and an update ignores it. */
  readonly isHidden?: true;
  readonly longest?: number;
}

/** One kind of an organization's objects. */
export interface Kind {
  readonly type: OrganizationObject["type"];
  readonly prefix: string;
  /** The organization's setting with the IDs of its objects, if it has one. */
  readonly setting?: "projects" | "agentPools" | "sshKeys" | "variableSets";
  readonly section: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The relationships that a body can set, with the type of their objects. */
  readonly relationships?: Readonly<Record<string, "workspaces" | "projects">>;
  /** Why a name is not allowed. */
  problemOf?(name: string): string | undefined;
  reads(caller: Caller, organization: string): boolean;
  /** False if the caller sees other objects of the kind, and not this one. */
  shows?(caller: Caller, object: OrganizationObject): boolean;
  manages(caller: Caller, organization: string): boolean;
  /** The list has pages even if the request does not ask for them. */
  readonly hasPages: boolean;
  /** True if a workspace uses the object, so that it cannot be deleted. */
  isUsed?(id: string, workspace: Workspace): boolean;
}

/** The members of a team's `organization-access`. */
const ORGANIZATION_ACCESS = [
  ...["policies", "policy-overrides", "workspaces", "vcs-settings", "providers", "modules"],
  ...["run-tasks", "projects", "membership", "teams", "organization-access", "agent-pools"],
]
  .map((object) => `manage-${object}`)
  .concat("delegate-policy-overrides", "read-workspaces", "read-projects", "access-secret-teams");

export const KINDS: readonly Kind[] = [
  {
    type: "projects",
    prefix: "prj",
    setting: "projects",
    section: "API: projects",
    attributes: {
      description: { kind: "string", initially: "", longest: 256 },
      "auto-destroy-activity-duration": { kind: "activity duration", initially: null },
      "default-execution-mode": { kind: ["remote", "local", "agent"], initially: null },
      "default-agent-pool-id": { kind: "string", initially: null },
    },
    problemOf: (name) =>
      /^[\w-][\w -]{1,38}[\w-]$/.test(name)
        ? undefined
        : "Name must have 3 to 40 letters, numbers, inner spaces, hyphens and underscores",
    reads: () => true,
    manages: (caller, organization) => caller.manages(organization, "manageProjects", true),
    hasPages: true,
    isUsed: (id, { project }) => project === id,
  },
  {
    type: "agent-pools",
    prefix: "apool",
    setting: "agentPools",
    section: "API: agent pools",
    attributes: { "organization-scoped": { kind: "boolean", initially: true } },
    relationships: {
      "allowed-workspaces": "workspaces",
      "allowed-projects": "projects",
      "excluded-workspaces": "workspaces",
    },
    reads: () => true,
    manages: (caller, organization) => caller.manages(organization, "manageAgentPools", false),
    hasPages: true,
    isUsed: (id, { agentPool }) => agentPool === id,
  },
  {
    type: "ssh-keys",
    prefix: "sshkey",
    setting: "sshKeys",
    section: "API: SSH keys",
    attributes: { value: { kind: "string", initially: "", isHidden: true } },
    reads: (caller, organization) =>
      caller.manages(organization, "manageVcsSettings", false) || caller.administersAny(organization),
    manages: (caller, organization) => caller.manages(organization, "manageVcsSettings", false),
    hasPages: false,
  },
  {
    type: "varsets",
    prefix: "varset",
    setting: "variableSets",
    section: "API: variable sets",
    attributes: {
      description: { kind: "string", initially: "" },
      global: { kind: "boolean", initially: false },
      priority: { kind: "boolean", initially: false },
    },
    relationships: { workspaces: "workspaces", projects: "projects" },
    reads: () => true,
    manages: (caller, organization) => caller.managesWorkspaces(organization),
    hasPages: true,
  },
  {
    type: "teams",
    prefix: "team",
    section: "API: teams",
    attributes: {
      "sso-team-id": { kind: "string", initially: null },
      visibility: { kind: ["secret", "organization"], initially: "secret" },
      "allow-member-token-management": { kind: "boolean", initially: true },
      "organization-access": {
        kind: "flags",
        initially: Object.fromEntries(ORGANIZATION_ACCESS.map((name) => [name, false])),
      },
    },
    problemOf: (name) =>
      /^[\w-]+$/.test(name) ? undefined : "Name can only include letters, numbers, -, and _",
    reads: () => true,
    // "Only organization owners can view the full set of secret teams."
    shows: (caller, { organization, attributes }) =>
      attributes.visibility === "organization" || caller.manages(organization, "manageTeams", true),
    manages: (caller, organization) => caller.manages(organization, "manageTeams", true),
    hasPages: true,
  },
];
