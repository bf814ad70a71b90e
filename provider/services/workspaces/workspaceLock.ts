import { z } from "zod";
import { commonFields } from "../../core/commonFields";
import { define } from "../../core/define";
import { field } from "../../core/facts";
import { isObject, type Json } from "../../core/json";
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
import { unlockWorkspace } from "./workspaceUnlock";

/** Nobody's lock can be taken over. */
const { adopt: _, ...steering } = commonFields;

/** A lock on a workspace (specification: Lock, Unlock; States and transitions). */
export default define({
  token: "workspaces:WorkspaceLock",
  doc: "A lock on a workspace, held by this token's user or team while the resource exists. It is gone when somebody unlocks the workspace; a lock that somebody else takes then is theirs.",
  section: "Lock; States and transitions",
  service: workspaces,
  fields: {
    ...steering,
    workspaceId: workspaceIdField,
    reason: field(z.string().optional(), {
      doc: "Why the workspace is locked.",
      wire: "locked-reason",
      immutable: true,
      empty: "",
    }),
    forceUnlock: field(z.boolean().optional(), {
      doc: "Unlock by force when the resource is deleted, although a state version is not finalised, and also where somebody takes the lock at the same moment. A lock that is somebody else's by then is left alone. Needs admin access.",
      local: true,
    }),
    lockedBy: field(z.string(), {
      doc: "The id of the user or team that holds the lock.",
      serverOwned: true,
      wire: "locked-by-id",
    }),
  },
  id: ofWorkspaceId,
  resolve: byWorkspaceId,
  addressOf: (body) => ({ ...organizationOf(body), holder: holderOf(body) }),
  read: ownWorkspace,
  create: { method: "POST", path: "/workspaces/{workspaceId}/actions/lock" },
  // A lock's reason is fixed, so there is never an update.
  update: { method: "POST", path: "/workspaces/{workspaceId}/actions/lock" },
  remove: { method: "POST", path: "/workspaces/{workspaceId}/actions/unlock" },
  deletes:
    "With `forceUnlock` it sends `POST /api/v2/workspaces/{workspaceId}/actions/force-unlock` instead. It waits, within its time, while the latest state version is not finalised. A lock that is somebody else's by then is left alone.",
  updates: "replace",
  answersWhole: true,
  looksBeforeCreate: true,
  createRefusesExisting: (answer) => answer.status === 409,
  wrap: ({ "locked-reason": reason }) => ({ reason: reason ?? "" }),
  isNone: (body, { holder }) => body.locked !== true || (holder !== undefined && holderOf(body) !== holder),
  existing: (body) => {
    const reason = body["locked-reason"];
    return `the workspace is locked by ${holderOf(body) ?? "somebody"}${typeof reason === "string" && reason !== "" ? ` (${reason})` : ""}`;
  },
  gone: {
    evidence: `the workspace can be read with this token, and is not locked by whom this resource locked it for; or ${WORKSPACE_GONE}`,
    proves: goneWithWorkspace,
  },
  acts: { remove: unlockWorkspace },
});

function holderOf(body: { readonly [member: string]: Json }): string | undefined {
  const holder = body["locked-by-id"];
  if (typeof holder === "string") return holder;
  return isObject(holder) && typeof holder.id === "string" ? holder.id : undefined;
}
