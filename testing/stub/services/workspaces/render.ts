import type { JsonObject } from "../../json";
import { dialectAttributes } from "./attributes";
import type { Caller } from "./callers";
import { agentPool, executionMode } from "./execution";
import { defaultsIn } from "./project-settings";
import type { Organization, Switches } from "./settings";
import type { VcsRepo, Workspace, World } from "./world";

/** A workspaces document with the parts of the section "Workspace": attributes, permissions, relationships, links. */
export function renderWorkspace(
  workspace: Workspace,
  caller: Caller,
  world: World,
  switches: Switches,
): unknown {
  const settings = world.organizations.get(workspace.organization);
  if (settings === undefined) throw new Error(`workspace ${workspace.id} has no organization`);
  const organization = defaultsIn(settings, workspace.project, world);
  const shown = switches.showsLockHolder ? workspace : { ...workspace, lock: null };
  return {
    id: workspace.id,
    type: "workspaces",
    attributes: {
      ...writable(workspace, organization, world, switches),
      ...renderedAttributes(shown, organization, world),
      ...workspace.observed,
      locked: workspace.lock !== null,
      permissions: permissions(workspace, caller, switches),
    },
    relationships: relationships(shown, organization, world),
    links: {
      self: `/api/v2/organizations/${workspace.organization}/workspaces/${workspace.name}`,
      "self-html": `/app/${workspace.organization}/workspaces/${workspace.name}`,
    },
  };
}

/** ISO 8601 in UTC with milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function writable(
  workspace: Workspace,
  organization: Organization,
  world: World,
  switches: Switches,
): JsonObject {
  const mode = executionMode(workspace, organization);
  return {
    ...dialectAttributes(workspace.plain, switches),
    ...autoDestroy(workspace, world),
    "assessments-enabled":
      organization.assessmentsEnforced || (workspace.plain["assessments-enabled"] ?? false),
    name: workspace.name,
    "execution-mode": mode,
    operations: mode !== "local",
    "setting-overwrites": {
      "execution-mode": switches.storesOverwrites && workspace.executionMode !== null,
      "agent-pool": switches.storesOverwrites && workspace.agentPoolOverwritten,
    },
    "vcs-repo": vcsRepo(workspace, organization),
  };
}

/**
 * The activity duration, of the project if the workspace inherits it, and the configured time or, with a duration, the time
 * derived from the workspace's latest activity.
 */
function autoDestroy({ plain, project, currentRun, createdAt }: Workspace, { objects }: World): JsonObject {
  const at = plain["auto-destroy-at"] ?? null;
  const source = plain["inherits-project-auto-destroy"] === true ? objects.get(project)?.attributes : plain;
  const duration = source?.["auto-destroy-activity-duration"] ?? null;
  if (typeof duration !== "string")
    return { "auto-destroy-at": at, "auto-destroy-activity-duration": duration };
  const hours = Number.parseInt(duration, 10) * (duration.endsWith("d") ? 24 : 1);
  const due = timestamp((currentRun?.createdAt ?? createdAt) + hours * 3_600_000);
  return { "auto-destroy-at": due, "auto-destroy-activity-duration": duration };
}

function vcsRepo(workspace: Workspace, organization: Organization): JsonObject | null {
  const { vcsRepo } = workspace;
  if (vcsRepo === null) return null;
  const { oauthTokenId, githubAppInstallationId } = vcsRepo;
  const token = providerOf(vcsRepo, organization);
  return {
    identifier: vcsRepo.identifier,
    // A response contains each of the two only if the workspace has it.
    ...(oauthTokenId !== null && { "oauth-token-id": oauthTokenId }),
    ...(githubAppInstallationId !== null && { "github-app-installation-id": githubAppInstallationId }),
    branch: vcsRepo.branch,
    "ingress-submodules": vcsRepo.ingressSubmodules,
    "tags-regex": vcsRepo.tagsRegex,
    "display-identifier": vcsRepo.identifier,
    "repository-http-url": `${token.url ?? ""}/${vcsRepo.identifier}`,
    "service-provider": token.serviceProvider ?? "",
    "webhook-url": `/webhooks/vcs/${workspace.id}`,
  };
}

/** The host of a repository: from the OAuth token's client, or HCP Terraform's own GitHub App. */
function providerOf(
  { oauthTokenId }: VcsRepo,
  organization: Organization,
): Partial<Organization["oauthTokens"][string]> {
  if (oauthTokenId !== null) return organization.oauthTokens[oauthTokenId] ?? {};
  return { serviceProvider: "github_app", url: "https://github.com" };
}

/** "Attributes present only in responses". */
function renderedAttributes(workspace: Workspace, organization: Organization, world: World): JsonObject {
  const { vcsRepo, lock, currentRun } = workspace;
  const token = vcsRepo === null ? undefined : providerOf(vcsRepo, organization);
  return {
    actions: { "is-destroyable": workspace.resourceCount > 0 },
    "apply-duration-average": null,
    "plan-duration-average": null,
    "auto-destroy-status": null,
    "created-at": timestamp(workspace.createdAt),
    "updated-at": timestamp(workspace.updatedAt),
    "latest-change-at": timestamp(currentRun?.createdAt ?? workspace.createdAt),
    "last-assessment-result-at": null,
    environment: "default",
    locked: lock !== null,
    "locked-reason": lock === null ? null : lock.reason,
    "oauth-client-name": token?.clientName ?? null,
    "policy-check-failures": null,
    "resource-count": workspace.resourceCount,
    "run-failures": null,
    source: "api",
    "tag-names": workspace.tags.flatMap((id) => world.tags.get(id)?.name ?? []),
    "vcs-repo-identifier": vcsRepo?.identifier ?? null,
    "workspace-kpis-runs-count": currentRun === null ? 0 : 1,
  };
}

function permissions(workspace: Workspace, caller: Caller, switches: Switches): JsonObject {
  const reads = caller.reads(workspace);
  const plans = caller.plans(workspace);
  const writes = caller.writes(workspace);
  const locks = caller.locks(workspace);
  const administers = caller.administers(workspace);
  return {
    "can-update": administers,
    "can-destroy": administers,
    "can-queue-run": plans,
    "can-read-run": reads,
    "can-read-variable": reads,
    "can-update-variable": writes,
    "can-read-state-versions": reads,
    "can-read-state-outputs": caller.readsOutputs(workspace),
    "can-create-state-versions": writes,
    "can-queue-apply": writes,
    "can-lock": locks,
    "can-unlock": locks,
    "can-force-unlock": administers,
    "can-read-settings": reads,
    "can-manage-tags": administers,
    "can-manage-run-tasks": administers,
    ...(switches.safeDeleteExists ? { "can-force-delete": caller.forcesDeletion(workspace) } : {}),
    "can-manage-assessments": administers,
    "can-manage-ephemeral-workspaces": administers,
    "can-read-assessment-results": reads,
    "can-queue-destroy": writes,
  };
}

/** "Each is an object with `data` (`id`, `type`, or null) and optionally `links.related`." */
function relationships(workspace: Workspace, organization: Organization, world: World): JsonObject {
  const path = `/api/v2/workspaces/${workspace.id}`;
  const one = (id: string | null, type: string) => ({ data: id === null ? null : { id, type } });
  const many = (ids: readonly string[] | undefined, type: string) => ({
    data: (ids ?? []).map((id) => ({ id, type })),
  });
  const { related } = workspace;
  const run = one(workspace.currentRun?.id ?? null, "runs");
  return {
    "agent-pool": one(agentPool(workspace, organization), "agent-pools"),
    "current-configuration-version": one(
      related["current-configuration-version"] ?? null,
      "configuration-versions",
    ),
    "current-run": run,
    "latest-run": run,
    "current-state-version": {
      ...one(workspace.currentStateVersion, "state-versions"),
      links: { related: `${path}/current-state-version` },
    },
    "current-assessment-result": one(related["current-assessment-result"] ?? null, "assessment-results"),
    organization: one(workspace.organization, "organizations"),
    outputs: many(
      [...(related.outputs ?? []), ...workspace.outputs.map(({ id }) => id)],
      "workspace-outputs",
    ),
    project: one(workspace.project, "projects"),
    readme: one(related.readme ?? null, "workspace-readme"),
    "remote-state-consumers": { links: { related: `${path}/relationships/remote-state-consumers` } },
    "ssh-key": one(workspace.sshKey, "ssh-keys"),
    "locked-by": one(workspace.lock?.holder.id ?? null, LOCKED_BY[workspace.lock?.holder.kind ?? "User"]),
    vars: many([...(related.vars ?? []), ...variablesOf(workspace, world)], "vars"),
  };
}

/** The IDs of the variables of a workspace or a variable set. */
export function variablesOf({ id }: { readonly id: string }, { variables }: World): string[] {
  return [...variables.values()].flatMap((variable) => (variable.owner === id ? [variable.id] : []));
}

const LOCKED_BY = { User: "users", Team: "teams", Run: "runs" } as const;
