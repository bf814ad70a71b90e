import { isDeepStrictEqual } from "node:util";
import type { StubRequest, StubResponse } from "../../service";
import type { Caller } from "./callers";
import { JSON_API, notFound } from "./errors";
import type { Identifiers } from "./identifiers";
import { renderWorkspace } from "./render";
import type { Switches } from "./settings";
import type { Workspace, World } from "./world";

/** One request in progress: its caller, and the state that it may change. */
export interface Operation {
  readonly request: StubRequest;
  readonly caller: Caller;
  readonly world: World;
  readonly switches: Switches;
  readonly identifiers: Identifiers;
}

/** One endpoint. `path` is relative to `/api/v2` unless it starts with `/api/`. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly section: string;
  handle(operation: Operation): StubResponse;
}

/**
 * The workspace in the path, by ID or by organization and name; throws a 404 if it is absent or the caller lacks the
 * permission. Default: the permission to read it.
 */
export function theWorkspace(
  operation: Operation,
  isAllowed = (by: Caller, found: Workspace) => by.reads(found),
): Workspace {
  const { world, caller, request } = operation;
  const { workspace_id: id, organization_name: organization = "", name = "" } = request.params;
  const workspace = id === undefined ? world.workspaceByName(organization, name) : world.workspaces.get(id);
  if (workspace === undefined || !isAllowed(caller, workspace)) throw notFound();
  return workspace;
}

/** The name of the organization in the path, for a member; throws a 404 for others. */
export function theOrganization({ caller, request }: Operation): string {
  const name = request.params.organization_name ?? "";
  caller.organization(name);
  return name;
}

/** The workspace in the path, for a caller with Admin permission on it; throws a 404 for others. */
export function theAdministeredWorkspace(operation: Operation): Workspace {
  const workspace = theWorkspace(operation);
  if (!operation.caller.administers(workspace)) throw notFound();
  return workspace;
}

/** Stores the changed record. `updated-at` increases with each change, even if the clock does not advance. */
export function store(operation: Operation, workspace: Workspace): Workspace {
  const before = operation.world.workspaces.get(workspace.id);
  if (before !== undefined && isDeepStrictEqual(before, workspace)) return before;
  const updatedAt =
    before === undefined ? workspace.updatedAt : Math.max(operation.request.now, before.updatedAt + 1);
  const after = { ...workspace, updatedAt };
  operation.world.workspaces.set(after.id, after);
  return after;
}

/** A response with one workspace. */
export function answerWorkspace(operation: Operation, workspace: Workspace, status = 200): StubResponse {
  const data = renderWorkspace(workspace, operation.caller, operation.world, operation.switches);
  return answer({ data }, status);
}

export function answer(body: unknown, status = 200): StubResponse {
  return { status, headers: JSON_API, body };
}

export const NO_CONTENT: StubResponse = { status: 204 };
