import type { StubResponse } from "../../service";
import { conflict, notFound } from "./errors";
import { type Endpoint, NO_CONTENT, type Operation, theAdministeredWorkspace } from "./operation";
import type { Workspace } from "./world";

/** Safe delete, which checks for managed resources, and force delete, which does not; by ID and by name. */
export const deletionEndpoints: readonly Endpoint[] = [
  {
    method: "POST",
    path: "/workspaces/:workspace_id/actions/safe-delete",
    section: "Safe delete by id",
    handle: safeDelete,
  },
  {
    method: "POST",
    path: "/organizations/:organization_name/workspaces/:name/actions/safe-delete",
    section: "Safe delete by names",
    handle: safeDelete,
  },
  { method: "DELETE", path: "/workspaces/:workspace_id", section: "Force delete", handle: forceDelete },
  {
    method: "DELETE",
    path: "/organizations/:organization_name/workspaces/:name",
    section: "Force delete by names",
    handle: forceDelete,
  },
];

function safeDelete(operation: Operation): StubResponse {
  if (!operation.switches.safeDeleteExists) throw notFound();
  const workspace = theAdministeredWorkspace(operation);
  if (workspace.lock !== null) {
    throw conflict(`Workspace ${workspace.name} cannot be deleted because it is locked.`);
  }
  if (operation.request.now < workspace.processingUntil) {
    throw conflict(`Workspace ${workspace.name} cannot be deleted because its state is being processed.`);
  }
  if (workspace.resourceCount > 0) {
    throw conflict(
      `Workspace ${workspace.name} cannot be safely deleted because ${workspace.resourceCount} resources are still managed by it.`,
    );
  }
  return remove(operation, workspace);
}

function forceDelete(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  if (!operation.caller.forcesDeletion(workspace)) throw notFound();
  return remove(operation, workspace);
}

/** Deletes a workspace with its variables, run triggers, notification configurations and team access, and removes it from the consumers of all other workspaces. */
function remove({ world }: Operation, { id }: Workspace): StubResponse {
  world.workspaces.delete(id);
  for (const variable of world.variables.values())
    if (variable.owner === id) world.variables.delete(variable.id);
  for (const trigger of world.runTriggers.values())
    if (trigger.workspace === id || trigger.source === id) world.runTriggers.delete(trigger.id);
  for (const notification of world.notifications.values())
    if (notification.workspace === id) world.notifications.delete(notification.id);
  for (const access of world.teamAccesses.values())
    if (access.workspace === id) world.teamAccesses.delete(access.id);
  for (const other of world.workspaces.values()) {
    if (!other.consumers.includes(id)) continue;
    world.workspaces.set(other.id, {
      ...other,
      consumers: other.consumers.filter((consumer) => consumer !== id),
    });
  }
  return NO_CONTENT;
}
