import { z } from "zod";
import {
  commonFields,
  define,
  deletes,
  field,
  type Json,
  object,
  patch,
  replaces,
  stringIn,
} from "../../core";
import { goneWithWorkspace, inWorkspace, ofWorkspace, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";

const path = "/workspaces/{workspaceId}/relationships/ssh-key";

/** The SSH key of a workspace (specification: Assign SSH key, Unassign SSH key). */
export default define({
  token: "workspaces:WorkspaceSshKey",
  product: {
    noun: "SSH key of a workspace",
    terraform: "`ssh_key_id` of `tfe_workspace`",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/workspaces",
  },
  doc: "SSH key that a workspace uses to fetch modules. Do not also set `sshKeyId` on the workspace: each resource would overwrite the key of the other.",
  section: "Assign SSH key",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    sshKeyId: field(z.string().min(1), {
      doc: "ID of the SSH key that the workspace uses to fetch modules.",
      wire: "ssh-key-id",
    }),
  },
  where: ofWorkspace(),
  life: object({
    reads: {
      ...inWorkspace,
      containsNoObject: (body) => body["ssh-key-id"] === undefined,
      absence: goneWithWorkspace("the workspace can be read with this token and has no SSH key"),
    },
    writes: replaces({
      create: patch(path),
      envelope: ({ "ssh-key-id": id }) => assignmentBody(id ?? null),
      returns: "object",
    }),
    creation: {
      describeExisting: (found) =>
        `the workspace already has the SSH key ${stringIn(found["ssh-key-id"])}; if the Workspace resource sets sshKeyId, remove one of the two`,
    },
    deletion: deletes(patch(path, { steer: () => ({ body: assignmentBody(null) }) })),
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["do not also set sshKeyId on the workspace: each resource would overwrite the key of the other"]
      : [],
});

function assignmentBody(id: Json): { [member: string]: Json } {
  return { data: { type: "workspaces", attributes: { id } } };
}
