import { z } from "zod";
import { checksByReadAndRejection, commonFields, define, field, object, post, replaces } from "../../core";
import { goneWithWorkspace, inWorkspace, ofWorkspace, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";
import { holderOf, PERHAPS_OURS, unlocking } from "./workspaceUnlock";

/** A lock cannot be adopted. */
const { adopt: _, ...steering } = commonFields;

/** A lock on a workspace (specification: Lock, Unlock; States and transitions). */
export default define({
  token: "workspaces:WorkspaceLock",
  product: {
    noun: "workspace lock",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/workspaces",
  },
  doc: "Lock on a workspace, held by the token's user or team as long as the resource exists. If someone unlocks the workspace, the lock counts as deleted; a lock that another user then takes is not part of this resource.",
  section: "Lock; States and transitions",
  service: workspaces,
  fields: {
    ...steering,
    workspaceId: workspaceIdField,
    reason: field(z.string().optional(), {
      doc: "Reason for the lock, as free text. Default: no reason.",
      wire: "locked-reason",
      immutable: true,
      empty: "",
    }),
    forceUnlock: field(z.boolean().optional(), {
      doc: "Force-unlock the workspace on delete, even if the latest state version is not finalized; needs Admin permission. A lock of another user, of an unnamed holder or of uncertain ownership is not force-unlocked.",
      role: "steering",
      default: false,
    }),
    lockedBy: field(z.string().optional(), {
      doc: "ID of the user or team that holds the lock, if the server returns it.",
      role: "server's",
      wire: "locked-by-id",
    }),
  },
  where: ofWorkspace({ holder: holderOf }),
  life: object({
    reads: {
      ...inWorkspace,
      containsNoObject: (body, { holder }) => body.locked === false || isAnothers(holder, holderOf(body)),
      absence: goneWithWorkspace(
        "the workspace can be read with this token and is not locked by the holder that this resource recorded",
      ),
    },
    // A lock's reason is immutable, so there is never an update.
    writes: replaces({
      create: post("/workspaces/{workspaceId}/actions/lock"),
      envelope: ({ "locked-reason": reason }) => ({ reason: reason ?? "" }),
      returns: "object",
    }),
    creation: {
      existing: checksByReadAndRejection((answer) => answer.status === 409),
      // The workspace was unlocked at the pre-check. A lock with a different reason belongs to someone else; any other may
      // be our own.
      recognition: {
        recognize: (found, { reason }) => {
          const shown = found["locked-reason"];
          return shown === undefined || shown === (reason ?? "") ? PERHAPS_OURS : undefined;
        },
      },
      describeExisting: (found) => {
        const reason = found["locked-reason"];
        return `the workspace is locked by ${holderOf(found) ?? "someone"}${typeof reason === "string" && reason !== "" ? ` (${reason})` : ""}`;
      },
    },
    deletion: unlocking,
  }),
});

/** True if the server shows a lock holder other than the recorded one. */
function isAnothers(ours: string | undefined, shown: string | undefined): boolean {
  return ours !== undefined && shown !== undefined && shown !== ours;
}
