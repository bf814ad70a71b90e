import {
  type Address,
  type HttpResponse,
  type Json,
  type Link,
  type ObjectHookContext,
  sendWrite,
  stringsIn,
} from "../../core";
import { document, toOne } from "./jsonApi";
import { workspaces } from "./service";
import { bindingsRelationship, tagBindingsOf } from "./tagBindings";

const tagsPath = "/workspaces/{workspaceId}/relationships/tags";

/** The SSH key (specification: Assign SSH key, Unassign SSH key). */
const sshKey: Link = {
  field: "sshKeyId",
  write: (context, address, { to }) =>
    write(context, "PATCH", "/workspaces/{workspaceId}/relationships/ssh-key", address, {
      data: { type: "workspaces", attributes: { id: to === "" ? null : to } },
    }),
};

/** Flat tags (specification: Bind flat string tags, Delete flat tags). Others may add tags. */
const tagNames: Link = {
  field: "tagNames",
  async write(context, address, { from, to }) {
    const [before, after] = [stringsIn(from), stringsIn(to)];
    const added = after.filter((name) => !before.includes(name));
    const dropped = before.filter((name) => !after.includes(name));
    if (added.length > 0) await write(context, "POST", tagsPath, address, { data: added.map(tag) });
    if (dropped.length > 0) await write(context, "DELETE", tagsPath, address, { data: dropped.map(tag) });
  },
};

/** The parts of a workspace with their own requests. */
export const workspaceLinks: readonly Link[] = [sshKey, tagNames, tagBindingsOf("workspaces", "workspaceId")];

/** A workspace in a write: its project and its key-value tags are relationships. */
export const asDocument = document("workspaces", {
  "project-id": toOne("project", "projects"),
  ...bindingsRelationship,
});

function tag(name: string): Json {
  return { type: "tags", attributes: { name } };
}

async function write(
  context: ObjectHookContext,
  method: "PATCH" | "POST" | "DELETE",
  path: string,
  address: Address,
  body: Json,
): Promise<void> {
  // The response to a write of the flat tags does not contain the workspace.
  const isTags = path === tagsPath;
  await sendWrite(context, { method, path, ...(isTags && { expects: "nothing" as const }) }, address, {
    body,
    ...(!isTags && { isAnswered: isOwn(address) }),
  });
}

/** True if a response is this workspace. */
function isOwn({ workspaceId }: Address): (answer: HttpResponse) => boolean {
  return ({ json }) => workspaces.unwrap(json ?? null).id === workspaceId;
}
