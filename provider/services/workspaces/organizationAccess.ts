import { z } from "zod";
import { field } from "../../core";

/** The permissions of a team on its organization, with what each allows. */
const PERMISSIONS = {
  managePolicies: "Create, edit and delete policies and policy sets.",
  managePolicyOverrides: "Override soft-mandatory policy checks.",
  delegatePolicyOverrides: "Let teams of workspaces override policies (beta).",
  manageWorkspaces: "Create and manage all workspaces. Includes `readWorkspaces`.",
  manageVcsSettings: "Manage VCS providers and SSH keys.",
  manageProviders: "Publish and delete providers of the private registry.",
  manageModules: "Publish and delete modules of the private registry.",
  manageRunTasks: "Create, edit and delete run tasks.",
  manageProjects: "Create and manage all projects. Requires `manageWorkspaces`.",
  readWorkspaces: "Read all workspaces.",
  readProjects: "Read all projects. Requires `readWorkspaces`.",
  manageMembership: "Invite users, and add them to teams and remove them.",
  manageTeams: "Create, change and delete teams.",
  manageOrganizationAccess: "Change the permissions of teams on the organization.",
  accessSecretTeams: "Read secret teams.",
  manageAgentPools: "Create, edit and delete agent pools.",
} as const;

const names = Object.keys(PERMISSIONS) as (keyof typeof PERMISSIONS)[];

/** Other permissions include `readWorkspaces`, so the program cannot restore a default of it without contradicting them. */
const permission = (name: keyof typeof PERMISSIONS) =>
  field(z.boolean().optional(), {
    doc: PERMISSIONS[name],
    ...(name === "readWorkspaces"
      ? { notRestored: true, toWrite: "If removed, the permission stays; set false to revoke it." }
      : { default: false }),
  });

/** The permissions of a team on its organization. */
export const organizationAccess = z.strictObject(
  Object.fromEntries(names.map((name) => [name, permission(name)])) as Record<
    keyof typeof PERMISSIONS,
    z.ZodOptional<z.ZodBoolean>
  >,
);

/** No permission. */
export const NO_ACCESS = Object.fromEntries(names.map((name) => [name, false]));
