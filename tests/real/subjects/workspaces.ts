import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { brokenRules } from "../../../provider/core/language/rules";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import type { Scene } from "../../steps/oneTimeActions";
import type { Edit, Subject } from "../../steps/subject";
import {
  agentPoolSubject,
  oauthClientSubject,
  teamSubject,
  variableSetSubject,
} from "../../steps/subjects/inOrganization";
import { workspaceSubject } from "../../steps/subjects/workspace";
import { World } from "../../steps/world";

/** The properties that otfd stores. */
const STORED = [
  ...["name", "allowDestroyPlan", "autoApply", "description", "executionMode", "globalRemoteState"],
  ...["queueAllRuns", "speculativeEnabled", "triggerPatterns", "workingDirectory", "tagNames"],
];

/** Execution modes that need no further property. */
const MODES = ["remote", "local"];

/**
 * Keeps only the properties that otfd stores. It has no safe delete, so programs must force the delete, and it does not reset
 * an execution mode, so programs must set one (see dropped.test.ts).
 */
const storedOnly = (program: Values): Values => ({
  forceDelete: true,
  executionMode: "remote",
  ...Object.fromEntries(
    Object.entries(program).filter(
      ([name, value]) => STORED.includes(name) && (name !== "executionMode" || MODES.includes(String(value))),
    ),
  ),
});

const isValid = (program: Values) => brokenRules(workspace.rules ?? [], program).length === 0;

/** The workspace `app` of the organization `acme`, with the properties that otfd stores. */
const otfdWorkspace: Subject = {
  ...workspaceSubject,
  programs: workspaceSubject.programs.map(storedOnly).filter(isValid),
  compatible: (workspaceSubject.compatible ?? workspaceSubject.programs).map(storedOnly).filter(isValid),
  edits: workspaceSubject.edits
    .filter(({ property }: Edit) => STORED.includes(property))
    // otfd answers 404 to a request that adds a tag which the workspace already has.
    .map((edit: Edit) => (edit.property === "tagNames" ? { ...edit, value: ["others"] } : edit)),
};

const withoutScope = ({
  allowedWorkspaceIds: _,
  allowedProjectIds: __,
  excludedWorkspaceIds: ___,
  ...program
}: Values): Values => program;

/** The agent pool without workspaces and projects, whose IDs only a stub can assign. */
const otfdAgentPool: Subject = {
  ...agentPoolSubject,
  programs: agentPoolSubject.programs.map(withoutScope),
  edits: agentPoolSubject.edits.filter(({ property }: Edit) => property === "organizationScoped"),
};

/** The variable set without the properties that otfd ignores. */
const otfdVariableSet: Subject = {
  ...variableSetSubject,
  programs: variableSetSubject.programs.map(
    ({ priority: _, workspaceIds, projectIds, ...program }) => program,
  ),
  edits: variableSetSubject.edits.filter(({ property }: Edit) => property === "description"),
};

/** The OAuth client with the properties that otfd stores. It has no update. */
const otfdOauthClient: Subject = {
  ...oauthClientSubject,
  isFixed: true,
  programs: oauthClientSubject.programs.map(({ name, serviceProvider, httpUrl, apiUrl }) => ({
    ...{ name, serviceProvider, httpUrl, apiUrl },
    oauthTokenString: "a-token",
  })) as Subject["programs"],
  edits: fc.constant({ property: "name", value: "platform-team" }),
  edit: async () => undefined,
};

/** The team with the properties that otfd stores. */
const otfdTeam: Subject = {
  ...teamSubject,
  programs: teamSubject.programs.map(
    ({ allowMemberTokenManagement: _, organizationAccess, ...program }): Values => ({
      ...program,
      ...(organizationAccess !== undefined && { organizationAccess: { manageModules: true } }),
    }),
  ),
  edits: teamSubject.edits.filter(({ property }: Edit) => property !== "allowMemberTokenManagement"),
};

/** The subjects that differ on otfd. */
export const workspaceSubjects: Readonly<Record<string, Subject>> = {
  "workspaces:Workspace": otfdWorkspace,
  "workspaces:AgentPool": otfdAgentPool,
  "workspaces:VariableSet": otfdVariableSet,
  "workspaces:OauthClient": otfdOauthClient,
  "workspaces:Team": otfdTeam,
};

/** A workspace that someone has locked. */
export async function lockedWorkspace(): Promise<Scene> {
  const world = new World(new WorkspacesService({ switches: { dialect: "neutral" } }), workspaceForceUnlock, {
    token: "owner",
    organization: "acme",
  });
  const id = await createWorkspace(world, "app");
  const answer = await world.send(
    "POST",
    `/api/v2/workspaces/${id}/actions/lock`,
    { reason: "mine" },
    HEADERS,
  );
  if (answer.status >= 300) throw new Error(answer.text);
  return { world, program: { workspaceId: id } };
}

const HEADERS = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** Creates a workspace as another user. Returns its ID. */
export async function createWorkspace(world: World, name: string): Promise<string> {
  const data = { type: "workspaces", attributes: { name } };
  const answer = await world.send("POST", "/api/v2/organizations/acme/workspaces", { data }, HEADERS);
  if (answer.status >= 300) throw new Error(answer.text);
  // The response is a JSON:API document.
  return (answer.json as { data: { id: string } }).data.id;
}
