import { z } from "zod";
import { commonFields, define, deletes, field, type Json, object, patch, replaces, wordIn } from "../../core";
import { goneWithWorkspace, inWorkspace, ofWorkspace, workspaceIdField } from "./ofWorkspace";
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
    sshKeyId: field(z.string().min(1), {
      doc: "The id of the SSH key with which the workspace fetches modules.",
      wire: "ssh-key-id",
    }),
  },
  where: ofWorkspace(),
  life: object({
    reads: {
      ...inWorkspace,
      isNone: (body) => body["ssh-key-id"] === undefined,
      gone: goneWithWorkspace("the workspace can be read with this token, and has no SSH key"),
    },
    writes: replaces({
      create: patch(path),
      envelope: ({ "ssh-key-id": id }) => assignmentBody(id ?? null),
      answer: "object",
    }),
    creation: {
      called: (found) =>
        `the workspace has the SSH key ${wordIn(found["ssh-key-id"])} already; if its own sshKeyId is written, drop one of the two: one manager each`,
    },
    deletion: deletes(patch(path, { steer: () => ({ body: assignmentBody(null) }) })),
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["a workspace whose own sshKeyId is written must not have this resource too: one manager each"]
      : [],
});

function assignmentBody(id: Json): { [member: string]: Json } {
  return { data: { type: "workspaces", attributes: { id } } };
}
