import { z } from "zod";
import { field, flag, text } from "../../core";
import { linksField, relationshipsField } from "./relationships";
import workspace from "./workspace";

const number = (doc: string) => field(z.number().optional(), { doc });

/** The members of a repository that a program does not write. */
const ofRepository = {
  displayIdentifier: text("Display name of the repository."),
  repositoryHttpUrl: text("URL of the repository's web page."),
  serviceProvider: text("VCS provider type, such as `github`."),
  webhookUrl: text("URL to which the VCS provider reports pushes."),
};

const permissions: Readonly<Record<string, string>> = {
  canUpdate: "change the workspace",
  canDestroy: "delete the workspace",
  canQueueRun: "queue a run",
  canReadRun: "read runs",
  canReadVariable: "read variables",
  canUpdateVariable: "change variables",
  canReadStateVersions: "read state versions",
  canReadStateOutputs: "read state outputs",
  canCreateStateVersions: "create state versions",
  canQueueApply: "queue an apply",
  canLock: "lock the workspace",
  canUnlock: "unlock the workspace",
  canForceUnlock: "unlock the workspace while another user holds the lock",
  canReadSettings: "read the workspace's settings",
  canManageTags: "change the workspace's tags",
  canManageRunTasks: "change the workspace's run tasks",
  canForceDelete:
    "delete the workspace without the check for managed resources; servers without safe delete do not return this permission",
  canManageAssessments: "change health assessments",
  canManageEphemeralWorkspaces: "change the auto-destroy settings",
  canReadAssessmentResults: "read health assessment results",
  canQueueDestroy: "queue a destroy run",
};

/**
 * The members of a workspace that a resource does not have, because they are volatile or depend on the caller
 * (specification: Workspace, Attributes present only in responses, permissions, Response relationships). Not every server
 * returns every member.
 */
export const workspaceShown = {
  actions: field(
    z.object({ isDestroyable: flag("True if the workspace has anything to destroy.") }).optional(),
    {
      doc: "Actions that are currently possible.",
    },
  ),
  applyDurationAverage: number("Average duration of an apply, in milliseconds."),
  planDurationAverage: number("Average duration of a plan, in milliseconds."),
  autoDestroyStatus: text("Status of the scheduled destroy run."),
  updatedAt: text("Time of the last change (ISO 8601)."),
  latestChangeAt: text("Time of the last change to the workspace, its runs or its state (ISO 8601)."),
  lastAssessmentResultAt: text("Time of the last health assessment (ISO 8601)."),
  environment: text("Environment that the server records for the workspace, `default`."),
  locked: flag("True if the workspace is locked."),
  lockedReason: text("Reason given for the lock."),
  oauthClientName: text("Name of the VCS connection."),
  policyCheckFailures: number("Number of failed policy checks."),
  runFailures: number("Number of failed runs."),
  source: text("Origin of the workspace, such as `api`."),
  vcsRepoIdentifier: text("Repository, as in `vcsRepo.identifier`."),
  workspaceKpisRunsCount: number("Number of runs in the averages."),
  vcsRepo: field(workspace.fields.vcsRepo.unwrap().extend(ofRepository).optional(), {
    doc: "VCS repository that contains the workspace's configuration; not set if no repository is attached.",
  }),
  permissions: field(
    z
      .object(
        Object.fromEntries(
          Object.entries(permissions).map(([name, what]) => [name, flag(`True if the token may ${what}.`)]),
        ),
      )
      .optional(),
    { doc: "Permissions of the requesting token." },
  ),
  relationships: relationshipsField({
    agentPool: { doc: "Agent pool that executes runs." },
    currentConfigurationVersion: { doc: "Configuration version in use." },
    currentRun: { doc: "Run in progress, or the last run." },
    latestRun: { doc: "Former name of `currentRun`." },
    currentStateVersion: { doc: "State version in use." },
    currentAssessmentResult: { doc: "Latest health assessment." },
    organization: { doc: "Organization that contains the workspace." },
    outputs: { doc: "Outputs of the state.", isMany: true },
    project: { doc: "Project that contains the workspace." },
    readme: { doc: "Text that describes the workspace." },
    sshKey: { doc: "SSH key for fetching modules." },
    lockedBy: { doc: "Holder of the lock." },
    vars: { doc: "Variables of the workspace's runs.", isMany: true },
  }),
  links: linksField(
    {
      currentStateVersion: "Path of the state version in use.",
      remoteStateConsumers: "Path of the list of workspaces that may read the state.",
    },
    { hasPage: true },
  ),
};
