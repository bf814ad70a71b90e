import { z } from "zod";
import { field, flag, text } from "../../core";
import { linksField, relationshipsField } from "./relationships";
import workspace from "./workspace";

const number = (doc: string) => field(z.number().optional(), { doc });

/** The members of a repository that a program does not write. */
const ofRepository = {
  displayIdentifier: text("The repository as people read it."),
  repositoryHttpUrl: text("The repository's page."),
  serviceProvider: text("The kind of VCS, such as `github`."),
  webhookUrl: text("Where the VCS tells of pushes."),
};

const rights: Readonly<Record<string, string>> = {
  canUpdate: "change it",
  canDestroy: "delete it",
  canQueueRun: "queue a run",
  canReadRun: "read its runs",
  canReadVariable: "read its variables",
  canUpdateVariable: "change its variables",
  canReadStateVersions: "read its states",
  canReadStateOutputs: "read its states' outputs",
  canCreateStateVersions: "make states",
  canQueueApply: "queue an apply",
  canLock: "lock it",
  canUnlock: "unlock it",
  canForceUnlock: "unlock it although somebody else has locked it",
  canReadSettings: "read its settings",
  canManageTags: "change its tags",
  canManageRunTasks: "change its run tasks",
  canForceDelete:
    "delete it without the check for managed resources; not told by servers that have no other delete",
  canManageAssessments: "change its health assessments",
  canManageEphemeralWorkspaces: "change when it is destroyed by itself",
  canReadAssessmentResults: "read the results of its health assessments",
  canQueueDestroy: "queue a run that destroys",
};

/**
 * The members of a workspace that a resource does not have, because they are volatile or depend on the caller
 * (specification: Workspace, Attributes present only in responses, permissions, Response relationships). Not every server
 * returns every member.
 */
export const workspaceShown = {
  actions: field(z.object({ isDestroyable: flag("Whether it has anything to destroy.") }).optional(), {
    doc: "What can be done with it now.",
  }),
  applyDurationAverage: number("How long an apply takes on average, in milliseconds."),
  planDurationAverage: number("How long a plan takes on average, in milliseconds."),
  autoDestroyStatus: text("How far its scheduled destruction is."),
  inheritsProjectAutoDestroy: flag("Whether its project says when it is destroyed by itself."),
  updatedAt: text("When it was changed last (ISO 8601)."),
  latestChangeAt: text("When it, its runs or its state changed last (ISO 8601)."),
  lastAssessmentResultAt: text("When its health was assessed last (ISO 8601)."),
  environment: text("The environment that the service keeps for it; `default`."),
  locked: flag("Whether it is locked."),
  lockedReason: text("The reason that was given for the lock."),
  oauthClientName: text("The name of the VCS connection."),
  policyCheckFailures: number("How many policy checks failed."),
  runFailures: number("How many runs failed."),
  source: text("By what it was made, such as `api`."),
  structuredRunOutputEnabled: flag("Whether the output of its runs is shown as structure."),
  vcsRepoIdentifier: text("The repository, as `vcsRepo` identifies it."),
  workspaceKpisRunsCount: number("How many runs the averages are of."),
  vcsRepo: field(workspace.fields.vcsRepo.unwrap().extend(ofRepository).optional(), {
    doc: "The VCS repository that holds its configuration; none where none is attached.",
  }),
  permissions: field(
    z
      .object(
        Object.fromEntries(
          Object.entries(rights).map(([name, what]) => [name, flag(`Whether the token may ${what}.`)]),
        ),
      )
      .optional(),
    { doc: "What the token that asks may do." },
  ),
  relationships: relationshipsField({
    agentPool: { doc: "The agent pool that carries out its runs." },
    currentConfigurationVersion: { doc: "The configuration in force." },
    currentRun: { doc: "The run that is under way, or was last." },
    latestRun: { doc: "The same, under its former name." },
    currentStateVersion: { doc: "The state in force." },
    currentAssessmentResult: { doc: "The latest health assessment." },
    organization: { doc: "The organization that holds it." },
    outputs: { doc: "The outputs of the state.", isMany: true },
    project: { doc: "The project in which it is." },
    readme: { doc: "The text that describes it." },
    sshKey: { doc: "The SSH key with which it fetches modules." },
    lockedBy: { doc: "Who holds the lock." },
    vars: { doc: "The variables of its runs.", isMany: true },
  }),
  links: linksField(
    {
      currentStateVersion: "The path of the state in force.",
      remoteStateConsumers: "The path of the workspaces that may read its state.",
    },
    { hasPage: true },
  ),
};
