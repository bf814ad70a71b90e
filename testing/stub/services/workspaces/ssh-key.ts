import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { invalid, notFound } from "./errors";
import { answerWorkspace, type Endpoint, type Operation, store, theAdministeredWorkspace } from "./operation";

/** Assign and unassign an SSH key. */
export const sshKeyEndpoints: readonly Endpoint[] = [
  {
    method: "PATCH",
    path: "/workspaces/:workspace_id/relationships/ssh-key",
    section: "Assign SSH key",
    handle: assign,
  },
];

/** "`data.attributes.id` (string, ID of an SSH key)"; null unassigns. */
function assign(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  const { id } = readResource(operation.request, "workspaces").attributes;
  if (id !== null && typeof id !== "string") {
    throw invalid({ pointer: "/data/attributes/id", detail: "id must be the id of an SSH key, or null" });
  }
  const { sshKeys } = operation.caller.organization(workspace.organization);
  if (id !== null && !sshKeys.includes(id)) throw notFound();
  return answerWorkspace(operation, store(operation, { ...workspace, sshKey: id }));
}
