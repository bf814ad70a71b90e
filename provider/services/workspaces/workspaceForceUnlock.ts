import { action, actionFields, define, errorFrom, isSuccess, place, post, send } from "../../core";
import { ownWorkspace, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";
import { isUnlockedAlready, showsUnlocked } from "./workspaceUnlock";

/** A forced unlock of a workspace (specification: Force unlock; States and transitions). */
export default define({
  token: "workspaces:WorkspaceForceUnlock",
  product: {
    noun: "forced unlock of a workspace",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/workspaces",
  },
  doc: "Force-unlocks a workspace once, regardless of who holds the lock; needs Admin permission. An unlocked workspace is left unchanged.",
  section: "Force unlock",
  service: workspaces,
  fields: {
    ...actionFields,
    workspaceId: workspaceIdField,
  },
  where: place("{workspaceId}"),
  life: action(post("/workspaces/{workspaceId}/actions/force-unlock"), {
    isAlreadyDone: isUnlockedAlready,
    isConfirmed: showsUnlocked,
    /** The lock and its holder. */
    async witness(context, address) {
      const answer = await send(context, ownWorkspace, address, { nature: "read" });
      if (!isSuccess(answer)) throw errorFrom(context, answer, ownWorkspace, address);
      const { id, locked, "locked-by-id": holder } = workspaces.unwrap(answer.json ?? null);
      // A response that is not the workspace does not show its lock.
      return id === address.workspaceId ? [locked ?? null, holder ?? null] : undefined;
    },
  }),
  notes: ({ step }) =>
    step === "create" ? ["the current holder loses the lock: make sure that no run is writing state"] : [],
});
