import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import type { TeamAccess } from "./access-records";
import { type ResourceDocument, readResource } from "./documents";
import { invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import { page } from "./paging";
import type { Workspace } from "./world";

const COLLECTION = "/team-workspaces";
const ITEM = `${COLLECTION}/:access_id`;
const section = "API: team access";

/** The access of teams to workspaces: list, add, show, update and remove. */
export const teamAccessEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: add },
  { method: "GET", path: ITEM, section, handle: show },
  { method: "PATCH", path: ITEM, section, handle: update },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

/** The permissions of a custom access, with their values; the first one is the default. */
const PERMISSIONS: Readonly<Record<string, readonly JsonValue[]>> = {
  runs: ["read", "plan", "apply"],
  variables: ["none", "read", "write"],
  "state-versions": ["none", "read-outputs", "read", "write"],
  "sentinel-mocks": ["none", "read"],
  "workspace-locking": [false, true],
  "run-tasks": [false, true],
  "policy-overrides": [false, true],
};

/** The permissions that the other levels imply, in the order of the table. */
const IMPLIED: Readonly<Record<string, readonly JsonValue[]>> = {
  read: ["read", "read", "read", "none", false, false, false],
  plan: ["plan", "read", "read", "none", false, false, false],
  write: ["apply", "write", "write", "read", true, false, false],
  admin: ["apply", "write", "write", "read", true, true, false],
};

/** "If neither pagination query parameters are provided, the endpoint will not be paginated." */
function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const { id } = administered(operation, request.query.get("filter[workspace][id]"));
  const own = [...world.teamAccesses.values()].filter(({ workspace }) => workspace === id);
  const isPaged = request.query.has("page[number]") || request.query.has("page[size]");
  return answer(isPaged ? page(request, own, render) : { data: own.map(render) });
}

function add(operation: Operation): StubResponse {
  const { request, world, identifiers } = operation;
  const document = readResource(request, "team-workspaces");
  const workspace = administered(operation, targetOf(document, "workspace", "workspaces"));
  const team = world.objects.get(targetOf(document, "team", "teams"));
  if (team === undefined || team.type !== "teams" || team.organization !== workspace.organization)
    throw notFound();
  const others = [...world.teamAccesses.values()];
  if (others.some((other) => other.workspace === workspace.id && other.team === team.id))
    throw invalid({ pointer: "/data/relationships/team", detail: "Team has already been taken" });
  const blank = { id: identifiers.fresh("tws"), workspace: workspace.id, team: team.id, access: "" };
  return answer({ data: render(apply(operation, { ...blank, permissions: [] }, document)) });
}

function show(operation: Operation): StubResponse {
  return answer({ data: render(theAccess(operation)) });
}

function update(operation: Operation): StubResponse {
  const before = theAccess(operation);
  return answer({
    data: render(apply(operation, before, readResource(operation.request, "team-workspaces"))),
  });
}

function remove(operation: Operation): StubResponse {
  operation.world.teamAccesses.delete(theAccess(operation).id);
  return NO_CONTENT;
}

/** "Organization owners and workspace admins can modify team access or view the full set of team accesses." */
function administered({ world, caller }: Operation, id: string | null): Workspace {
  const workspace = world.workspaces.get(id ?? "");
  if (workspace === undefined || !caller.administers(workspace)) throw notFound();
  return workspace;
}

function theAccess(operation: Operation): TeamAccess {
  const access = operation.world.teamAccesses.get(operation.request.params.access_id ?? "");
  if (access === undefined) throw notFound();
  administered(operation, access.workspace);
  return access;
}

/** The ID in a to-one relationship of a body. */
function targetOf({ relationships }: ResourceDocument, name: string, type: string): string {
  const own = relationships[name];
  const data = isObject(own) ? own.data : undefined;
  if (isObject(data) && data.type === type && typeof data.id === "string") return data.id;
  throw invalid({ pointer: `/data/relationships/${name}`, detail: `${name} must be a relationship` });
}

/** Applies a body. A custom access keeps its permissions; the permissions of the other levels are derived. */
function apply({ world }: Operation, before: TeamAccess, { attributes }: ResourceDocument): TeamAccess {
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const { access = before.access } = attributes;
  const implied = typeof access === "string" ? IMPLIED[access] : undefined;
  if (implied === undefined && access !== "custom")
    reject("access", "Access must be read, plan, write, admin or custom");
  const permissions = Object.entries(PERMISSIONS).map(([name, values], index): JsonValue => {
    const value = attributes[name];
    if (implied !== undefined) {
      if (value !== undefined) reject(name, `${name} can only be used when access is custom`);
      return implied[index] ?? null;
    }
    if (value !== undefined && value !== null && !values.includes(value))
      reject(name, `${name} must be ${values.join(", ")}`);
    return value ?? before.permissions[index] ?? values[0] ?? null;
  });
  if (problems.length > 0) throw invalid(...problems);
  const after = { ...before, access: String(access), permissions };
  world.teamAccesses.set(after.id, after);
  return after;
}

function render({ id, workspace, team, access, permissions }: TeamAccess): unknown {
  const attributes: JsonObject = {
    access,
    ...Object.fromEntries(Object.keys(PERMISSIONS).map((name, index) => [name, permissions[index] ?? null])),
  };
  return {
    id,
    type: "team-workspaces",
    attributes,
    relationships: {
      team: { data: { id: team, type: "teams" }, links: { related: `/api/v2/teams/${team}` } },
      workspace: {
        data: { id: workspace, type: "workspaces" },
        links: { related: `/api/v2/workspaces/${workspace}` },
      },
    },
    links: { self: `/api/v2/team-workspaces/${id}` },
  };
}
