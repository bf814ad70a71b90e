import fc from "fast-check";
import runTrigger from "../../../provider/services/workspaces/runTrigger";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Subject } from "../subject";
import type { World } from "../world";
import { WORKSPACE_ID, workspaceWorld } from "./ofWorkspace";

const LIST = `/api/v2/workspaces/${WORKSPACE_ID}/run-triggers?filter%5Brun-trigger%5D%5Btype%5D=inbound`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** The trigger of the workspace `app` for applies in the workspace `web`. */
export const runTriggerSubject: Subject = {
  definition: runTrigger,
  // No request changes a trigger, so another user can only delete it.
  isFixed: true,
  world: async () => workspaceWorld(runTrigger),
  programs: fc.constant({ workspaceId: WORKSPACE_ID, sourceableId: "ws-web" }),
  edits: fc.constant({ property: "sourceableId", value: "ws-web" }),
  edit: async () => undefined,
  async takeAway(world: World) {
    const { json } = await world.send("GET", LIST, undefined, headers);
    // The stub returns a JSON:API list.
    const own = (json as { data: { id: string }[] }).data[0];
    if (own === undefined) throw new RejectedRequest(404, "there is none");
    expectAccepted(await world.send("DELETE", `/api/v2/run-triggers/${own.id}`, undefined, headers));
  },
  // The create reads its organization and the workspace's triggers first.
  createTakes: () => ["GET", "GET", "POST"],
};
