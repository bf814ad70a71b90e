import type { Values } from "../../../provider/core/language/object";
import { brokenRules } from "../../../provider/core/language/rules";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import type { Scene } from "../../steps/deeds";
import type { Edit, Subject } from "../../steps/subject";
import { workspaceSubject } from "../../steps/subjects/workspace";
import { World } from "../../steps/world";

/** What this server keeps of a workspace. */
const KEPT = [
  ...["name", "allowDestroyPlan", "autoApply", "description", "executionMode", "globalRemoteState"],
  ...["queueAllRuns", "speculativeEnabled", "triggerPatterns", "workingDirectory", "tagNames"],
];

/** Modes that need nothing beside them. */
const MODES = ["remote", "local"];

/** It knows no safe delete, so that a program has to ask for the other. */
const kept = (program: Values): Values => ({
  forceDelete: true,
  ...Object.fromEntries(
    Object.entries(program).filter(
      ([name, value]) => KEPT.includes(name) && (name !== "executionMode" || MODES.includes(String(value))),
    ),
  ),
});

const holds = (program: Values) => brokenRules(workspace.rules ?? [], program).length === 0;

/** The workspace `app` of the organization `acme`, with what the open server keeps of it. */
const onOpenServer: Subject = {
  ...workspaceSubject,
  programs: workspaceSubject.programs.map(kept).filter(holds),
  compatible: (workspaceSubject.compatible ?? workspaceSubject.programs).map(kept).filter(holds),
  edits: workspaceSubject.edits.filter(({ property }: Edit) => KEPT.includes(property)),
};

/** Subjects of the workspaces' API that the open server tries in another form. */
export const workspaceSubjects: Readonly<Record<string, Subject>> = {
  "workspaces:Workspace": onOpenServer,
};

/** A workspace that somebody holds. */
export async function lockedWorkspace(): Promise<Scene> {
  const world = new World(new WorkspacesService({ switches: { dialect: "neutral" } }), workspaceForceUnlock, {
    token: "owner",
    organization: "acme",
  });
  const id = await madeWorkspace(world, "app");
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

/** Makes a workspace as a person would; its id. */
export async function madeWorkspace(world: World, name: string): Promise<string> {
  const data = { type: "workspaces", attributes: { name } };
  const answer = await world.send("POST", "/api/v2/organizations/acme/workspaces", { data }, HEADERS);
  if (answer.status >= 300) throw new Error(answer.text);
  // A JSON:API document.
  return (answer.json as { data: { id: string } }).data.id;
}
