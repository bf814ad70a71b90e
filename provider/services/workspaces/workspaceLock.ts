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
  doc: "A lock on a workspace, held by this token's user or team while the resource exists. It is gone when somebody unlocks the workspace; a lock that somebody else takes then is theirs.",
  section: "Lock; States and transitions",
  service: workspaces,
  fields: {
    ...steering,
    workspaceId: workspaceIdField,
    reason: field(z.string().optional(), {
      doc: "Why the workspace is locked: free text. Default: no reason.",
      wire: "locked-reason",
      immutable: true,
      empty: "",
    }),
    forceUnlock: field(z.boolean().optional(), {
      doc: "Whether it is unlocked by force when the resource is deleted, although a state version is not finalised, and also where somebody takes the lock at the same moment. A lock that is somebody else's by then is left alone; and none is ever broken whose holder the service does not name, or that is only perhaps ours, because the answer to our locking was lost: then it is unlocked without force, which the service refuses for others. Needs admin access.",
      role: "steering",
      default: false,
    }),
    lockedBy: field(z.string().optional(), {
      doc: "The id of the user or team that holds the lock, where the service names it.",
      role: "server's",
      wire: "locked-by-id",
    }),
  },
  where: ofWorkspace({ holder: holderOf }),
  life: object({
    reads: {
      ...inWorkspace,
      isNone: (body, { holder }) => body.locked === false || isAnothers(holder, holderOf(body)),
      gone: goneWithWorkspace(
        "the workspace can be read with this token, and is not locked by whom this resource locked it for",
      ),
    },
    // A lock's reason is immutable, so there is never an update.
    writes: replaces({
      create: post("/workspaces/{workspaceId}/actions/lock"),
      envelope: ({ "locked-reason": reason }) => ({ reason: reason ?? "" }),
      answer: "object",
    }),
    creation: {
      existing: checksByReadAndRejection((answer) => answer.status === 409),
      // The workspace was unlocked at the pre-check. A lock with a different reason belongs to someone else; any other may
      // be our own.
      ours: {
        recognise: (found, { reason }) => {
          const shown = found["locked-reason"];
          return shown === undefined || shown === (reason ?? "") ? PERHAPS_OURS : undefined;
        },
      },
      called: (found) => {
        const reason = found["locked-reason"];
        return `the workspace is locked by ${holderOf(found) ?? "somebody"}${typeof reason === "string" && reason !== "" ? ` (${reason})` : ""}`;
      },
    },
    deletion: unlocking,
  }),
});

/** True if the server shows a lock holder other than the recorded one. */
function isAnothers(ours: string | undefined, shown: string | undefined): boolean {
  return ours !== undefined && shown !== undefined && shown !== ours;
}
