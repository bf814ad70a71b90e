import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { define } from "../../core/language/resource";
import type { Json } from "../../core/value/json";
import {
  byWorkspaceId,
  goneWithWorkspace,
  ofWorkspaceId,
  organizationOf,
  ownWorkspace,
  WORKSPACE_GONE,
  workspaceIdField,
} from "./ofWorkspace";
import { workspaces } from "./service";

const path = "/workspaces/{workspaceId}/relationships/ssh-key";

/** The SSH key of a workspace (specification: Assign SSH key, Unassign SSH key). */
export default define({
  token: "workspaces:WorkspaceSshKey",
  doc: "The SSH key with which a workspace fetches modules. One manager each: a workspace whose own `sshKeyId` is written must not have this resource too, or each undoes the other.",
  section: "Assign SSH key",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    sshKeyId: field(z.string().min(1), { doc: "The SSH key's id.", wire: "ssh-key-id" }),
  },
  id: ofWorkspaceId,
  resolve: byWorkspaceId,
  read: ownWorkspace,
  create: { method: "PATCH", path },
  update: { method: "PATCH", path },
  remove: { method: "PATCH", path, steer: () => ({ body: assigned(null) }) },
  updates: "replace",
  answersWhole: true,
  wrap: ({ "ssh-key-id": id }) => assigned(id ?? null),
  isNone: (body, { workspaceId }) => body.id === workspaceId && body["ssh-key-id"] === undefined,
  addressOf: organizationOf,
  existing: (body) =>
    `the workspace has the SSH key ${String(body["ssh-key-id"])} already; if its own sshKeyId is written, drop one of the two: one manager each`,
  shows: { named: { workspaceId: "id" } },
  gone: {
    evidence: `the workspace can be read with this token, and has no SSH key; or ${WORKSPACE_GONE}`,
    proves: goneWithWorkspace,
  },
  notes: ({ step }) =>
    step === "create"
      ? ["a workspace whose own sshKeyId is written must not have this resource too: one manager each"]
      : [],
});

function assigned(id: Json): { [member: string]: Json } {
  return { data: { type: "workspaces", attributes: { id } } };
}
