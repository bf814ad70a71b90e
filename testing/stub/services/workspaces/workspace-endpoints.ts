import { isObject, type JsonObject } from "../../json";
import type { StubResponse } from "../../service";
import { type ResourceDocument, readResource } from "./documents";
import { applyAttributes, blankWorkspace } from "./draft";
import { invalid, notFound, Refusal } from "./errors";
import {
  answer,
  answerWorkspace,
  type Endpoint,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import { page } from "./paging";
import { defaultsIn } from "./project-settings";
import { renderWorkspace } from "./render";
import { replaceTagBindings } from "./tag-bindings";
import { bindTags } from "./tags";
import { selectWorkspaces } from "./workspace-list";
import type { Workspace } from "./world";

const SHOW = (operation: Operation) => answerWorkspace(operation, theWorkspace(operation));

/** Create, list, show and update, by ID and by name; and the organization whose settings workspaces inherit. */
export const workspaceEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/organizations/:organization_name",
    section: "Changelog, 2023-09-08",
    handle: showOrganization,
  },
  {
    method: "POST",
    path: "/organizations/:organization_name/workspaces",
    section: "Create workspace",
    handle: create,
  },
  {
    method: "GET",
    path: "/organizations/:organization_name/workspaces",
    section: "List workspaces",
    handle: list,
  },
  {
    method: "GET",
    path: "/organizations/:organization_name/workspaces/:name",
    section: "Show by names",
    handle: SHOW,
  },
  { method: "GET", path: "/workspaces/:workspace_id", section: "Show by id", handle: SHOW },
  {
    method: "PATCH",
    path: "/organizations/:organization_name/workspaces/:name",
    section: "Update workspace",
    handle: update,
  },
  { method: "PATCH", path: "/workspaces/:workspace_id", section: "Update workspace", handle: update },
];

/** The attributes of an organization that the specification names: `default-execution-mode`. */
function showOrganization({ request, caller }: Operation): StubResponse {
  const name = request.params.organization_name ?? "";
  const { defaultExecutionMode } = caller.organization(name);
  const attributes = { name, "default-execution-mode": defaultExecutionMode };
  return answer({ data: { id: name, type: "organizations", attributes } });
}

function create(operation: Operation): StubResponse {
  const { request, caller, switches, identifiers, world } = operation;
  const name = request.params.organization_name ?? "";
  const organization = caller.organization(name);
  if (!caller.managesWorkspaces(name)) throw notFound();
  const document = readResource(request, "workspaces");
  const project = readProject(operation, name, document) ?? organization.projects[0] ?? "";
  if (!caller.createsWorkspacesIn(name, project)) throw notFound();
  const blank = blankWorkspace(identifiers.fresh("ws"), name, project, request.now, switches);
  const given = { ...inheritedBy(operation, project, document), ...document.attributes };
  const drafted = applyAttributes(
    blank,
    given,
    defaultsIn(organization, project, world),
    switches,
    caller.isUser,
  );
  refuseTakenName(operation, drafted);
  const workspace = { ...drafted, accessName: drafted.name };
  return answerWorkspace(operation, store(operation, withRelationships(operation, workspace, document)), 201);
}

/** "All future workspaces in this project inherit this default value", unless the body sets its own. */
function inheritedBy({ world }: Operation, project: string, { attributes }: ResourceDocument): JsonObject {
  const duration = world.objects.get(project)?.attributes["auto-destroy-activity-duration"] ?? null;
  const isOwn = ["auto-destroy-at", "auto-destroy-activity-duration"].some((name) => attributes[name]);
  return duration === null || isOwn ? {} : { "inherits-project-auto-destroy": true };
}

function update(operation: Operation): StubResponse {
  const { request, caller, switches, world } = operation;
  const before = theAdministeredWorkspace(operation);
  const document = readResource(request, "workspaces");
  const project = readProject(operation, before.organization, document) ?? before.project;
  if (project !== before.project && !caller.movesWorkspaces(before.organization, before.project, project))
    throw notFound();
  const inForce = defaultsIn(caller.organization(before.organization), project, world);
  const drafted = applyAttributes(before, document.attributes, inForce, switches, caller.isUser);
  refuseTakenName(operation, drafted);
  const workspace = withRelationships(operation, { ...drafted, project }, document);
  return answerWorkspace(operation, store(operation, workspace));
}

function list(operation: Operation): StubResponse {
  const { request, caller, world, switches } = operation;
  const name = request.params.organization_name ?? "";
  caller.organization(name);
  const readable = [...world.workspaces.values()].filter(
    (workspace) => workspace.organization === name && caller.reads(workspace),
  );
  const selected = selectWorkspaces(readable, request.query, world, switches);
  return answer(page(request, selected, (workspace) => renderWorkspace(workspace, caller, world, switches)));
}

/** "Unique identifier within the organization." */
function refuseTakenName({ world, switches }: Operation, drafted: Workspace): void {
  const other = world.workspaceByName(drafted.organization, drafted.name);
  if (other === undefined || other.id === drafted.id) return;
  if (switches.nameTakenStatus === 409)
    throw new Refusal(409, [{ status: "409", title: "Conflict", detail: "resource already exists" }]);
  throw invalid({ pointer: "/data/attributes/name", detail: "Name has already been taken" });
}

/** The ID under `relationships.project`; throws a 404 if the organization lacks it. */
function readProject(
  operation: Operation,
  organization: string,
  { relationships }: ResourceDocument,
): string | undefined {
  const { project } = relationships;
  if (project === undefined) return undefined;
  const data = isObject(project) ? project.data : undefined;
  if (!isObject(data) || typeof data.id !== "string") {
    throw invalid({
      pointer: "/data/relationships/project",
      detail: "project must be a relationship with the id of a project",
    });
  }
  if (!operation.caller.organization(organization).projects.includes(data.id)) throw notFound();
  return data.id;
}

function withRelationships(
  operation: Operation,
  workspace: Workspace,
  { relationships }: ResourceDocument,
): Workspace {
  const { tags, "tag-bindings": bindings } = relationships;
  const tagged = isObject(tags)
    ? bindTags(operation, workspace, tags.data, "/data/relationships/tags/data")
    : workspace;
  return isObject(bindings) && operation.switches.tagBindingsExist
    ? replaceTagBindings(operation, tagged, bindings.data, "/data/relationships/tag-bindings/data")
    : tagged;
}
