import type { Values } from "../../../provider/core/language/object";
import { brokenRules } from "../../../provider/core/language/rules";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import type { Scene } from "../../steps/deeds";
import type { Edit, Subject } from "../../steps/subject";
import { workspaceSubject } from "../../steps/subjects/workspace";
import { World } from "../../steps/world";

/** The properties that otfd stores. */
const STORED = [
  ...["name", "allowDestroyPlan", "autoApply", "description", "executionMode", "globalRemoteState"],
  ...["queueAllRuns", "speculativeEnabled", "triggerPatterns", "workingDirectory", "tagNames"],
];

/** Execution modes that need no further property. */
const MODES = ["remote", "local"];

/** Keeps only the properties that otfd stores. It has no safe delete, so programs must force the delete. */
const storedOnly = (program: Values): Values => ({
  forceDelete: true,
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
  edits: workspaceSubject.edits.filter(({ property }: Edit) => STORED.includes(property)),
};

/** The subjects that differ on otfd. */
export const workspaceSubjects: Readonly<Record<string, Subject>> = {
  "workspaces:Workspace": otfdWorkspace,
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
