import type { IncomingHttpHeaders } from "node:http";
import { ownOf } from "../../json";
import { notFound, unauthorized } from "./errors";
import type { Organization, Team, TokenOwner, WorkspaceAccess } from "./settings";
import type { LockHolder, Workspace, World } from "./world";

/** The caller of a request, with the permissions of the specification's section Authentication. */
export class Caller {
  constructor(
    private readonly world: World,
    readonly owner: TokenOwner,
  ) {}

  /** The organization, if the caller is a member; throws a 404 otherwise. */
  organization(name: string): Organization {
    const organization = this.world.organizations.get(name);
    if (organization === undefined || !this.isMember(name)) throw notFound();
    return organization;
  }

  isMember(organization: string): boolean {
    if ("user" in this.owner) return Object.hasOwn(this.owner.organizations, organization);
    return this.owner.organization === organization;
  }

  isOwner(organization: string): boolean {
    return this.teamNames(organization).includes("owners");
  }

  /**
   * "owners team, or on a team with Manage all workspaces, or an organization API token". HCP Terraform's Manage all
   * projects includes Manage all workspaces.
   */
  managesWorkspaces(organization: string): boolean {
    return (
      this.isOwner(organization) ||
      this.hasOrganizationToken(organization) ||
      this.teams(organization).some((team) => team.manageWorkspaces || team.manageProjects)
    );
  }

  /** Outside the default project, the permission to manage all workspaces is not sufficient. */
  createsWorkspacesIn(organization: string, project: string): boolean {
    const [byDefault] = this.world.organizations.get(organization)?.projects ?? [];
    return project === byDefault
      ? this.managesWorkspaces(organization)
      : this.hasIn(organization, project, "create");
  }

  /** A move requires the same permission on both projects. */
  movesWorkspaces(organization: string, from: string, to: string): boolean {
    return this.hasIn(organization, from, "move") && this.hasIn(organization, to, "move");
  }

  /** "the owners team or the Manage Private Registry permission". */
  managesRegistry(organization: string): boolean {
    return this.isOwner(organization) || this.teams(organization).some((team) => team.manageRegistry);
  }

  /** "the owners team or this permission", and an organization API token if the page allows it. */
  manages(
    organization: string,
    permission: "manageProjects" | "manageAgentPools" | "manageVcsSettings" | "manageTeams",
    byToken: boolean,
  ): boolean {
    if (this.isOwner(organization) || (byToken && this.hasOrganizationToken(organization))) return true;
    return this.teams(organization).some((team) => team[permission]);
  }

  administersAny(organization: string): boolean {
    return [...this.world.workspaces.values()].some(
      (workspace) => workspace.organization === organization && this.administers(workspace),
    );
  }

  /** True if the caller has read permission on runs. */
  reads(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).runs;
  }

  readsVariables(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).variables !== "none";
  }

  writesVariables(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).variables === "write";
  }

  readsOutputs(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).outputs;
  }

  locks(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).locking;
  }

  administers(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).admin;
  }

  plans(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).plan;
  }

  writes(workspace: Workspace): boolean {
    return this.permissionsOn(workspace).write;
  }

  forcesDeletion(workspace: Workspace): boolean {
    const allowed = this.world.organizations.get(workspace.organization)?.allowForceDelete ?? false;
    return this.isOwner(workspace.organization) || (allowed && this.administers(workspace));
  }

  /** True if the token is a user's, not a team's or an organization's. */
  get isUser(): boolean {
    return "user" in this.owner;
  }

  /** The caller as a lock holder. */
  asHolder(): LockHolder {
    if ("user" in this.owner) return userHolder(this.owner.user);
    if ("team" in this.owner) return teamHolder(this.owner.team);
    return userHolder(`api-org-${this.owner.organization}`);
  }

  private hasIn(organization: string, project: string, permission: "create" | "move"): boolean {
    if (this.isOwner(organization) || this.hasOrganizationToken(organization)) return true;
    return this.teams(organization).some(
      ({ manageProjects, projects }) => manageProjects || ownOf(projects, project)?.[permission],
    );
  }

  private hasOrganizationToken(organization: string): boolean {
    return !("user" in this.owner) && !("team" in this.owner) && this.owner.organization === organization;
  }

  private teamNames(organization: string): readonly string[] {
    if ("user" in this.owner) return ownOf(this.owner.organizations, organization) ?? [];
    return "team" in this.owner && this.owner.organization === organization ? [this.owner.team] : [];
  }

  private teams(organization: string): readonly Team[] {
    const known = this.world.organizations.get(organization)?.teams ?? {};
    return this.teamNames(organization).flatMap((name) => ownOf(known, name) ?? []);
  }

  private permissionsOn(workspace: Workspace): Permissions {
    if (this.managesWorkspaces(workspace.organization)) return ALL;
    return this.teams(workspace.organization)
      .map((team) => permissionsOf(ownOf(team.workspaces, workspace.accessName)))
      .reduce(union, NONE);
  }
}

/** The caller of a request; throws a 401 for an unknown token. */
export function identify(world: World, headers: IncomingHttpHeaders): Caller {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const owner = token === undefined ? undefined : world.tokens.get(token);
  if (owner === undefined) throw unauthorized();
  return new Caller(world, owner);
}

export function userHolder(name: string): LockHolder {
  return { kind: "User", id: `user-${name}`, name };
}

export function teamHolder(name: string): LockHolder {
  return { kind: "Team", id: `team-${name}`, name };
}

interface Permissions {
  readonly runs: boolean;
  readonly plan: boolean;
  readonly write: boolean;
  readonly locking: boolean;
  readonly admin: boolean;
  readonly variables: "none" | "read" | "write";
  readonly outputs: boolean;
}

const NONE: Permissions = {
  runs: false,
  plan: false,
  write: false,
  locking: false,
  admin: false,
  variables: "none",
  outputs: false,
};
const ALL: Permissions = {
  runs: true,
  plan: true,
  write: true,
  locking: true,
  admin: true,
  variables: "write",
  outputs: true,
};

function permissionsOf(access: WorkspaceAccess | undefined): Permissions {
  if (access === undefined) return NONE;
  if (typeof access === "object") return { ...NONE, ...access };
  const level = ["read", "plan", "write", "admin"].indexOf(access);
  return {
    runs: true,
    plan: level >= 1,
    write: level >= 2,
    locking: level >= 2,
    admin: level >= 3,
    variables: level >= 2 ? "write" : "read",
    outputs: true,
  };
}

const VARIABLES = ["none", "read", "write"] as const;

function union(left: Permissions, right: Permissions): Permissions {
  return {
    runs: left.runs || right.runs,
    plan: left.plan || right.plan,
    write: left.write || right.write,
    locking: left.locking || right.locking,
    admin: left.admin || right.admin,
    variables: VARIABLES.findLast((one) => one === left.variables || one === right.variables) ?? "none",
    outputs: left.outputs || right.outputs,
  };
}
