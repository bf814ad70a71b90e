import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import teamAccess from "../../../provider/services/workspaces/teamAccess";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { WORKSPACE_ID, workspaceWorld } from "./ofWorkspace";

const LIST = `/api/v2/team-workspaces?filter%5Bworkspace%5D%5Bid%5D=${WORKSPACE_ID}`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

async function ask(world: World, method: string, attributes?: Json): Promise<void> {
  const { json } = await world.send("GET", LIST, undefined, headers);
  // The stub returns a JSON:API list.
  const own = (json as { data: { id: string }[] }).data[0];
  if (own === undefined) throw new RejectedRequest(404, "there is none");
  const body = attributes === undefined ? undefined : { data: { type: "team-workspaces", attributes } };
  expectAccepted(await world.send(method, `/api/v2/team-workspaces/${own.id}`, body, headers));
}

const runs = fc.constantFrom("read", "plan", "apply");
const variables = fc.constantFrom("none", "read", "write");

/**
 * The custom access of the team `runners` to the workspace `app`. A change of the level changes all permissions, so the tests of the
 * resource itself cover it.
 */
export const teamAccessSubject: Subject = {
  definition: teamAccess,
  world: async () => workspaceWorld(teamAccess),
  programs: fc
    .record({
      workspaceId: fc.constant(WORKSPACE_ID),
      teamId: fc.constant("team-runners"),
      access: fc.constant("custom"),
      runs: maybe(runs),
      variables: maybe(variables),
      workspaceLocking: maybe(fc.boolean()),
    })
    .map(defined),
  edits: fc.oneof(
    runs.map((value): Edit => ({ property: "runs", value })),
    variables.map((value): Edit => ({ property: "variables", value })),
  ),
  edit: (world, _, { property, value }) => ask(world, "PATCH", { [property]: value }),
  takeAway: (world) => ask(world, "DELETE"),
  // The create reads its organization and the accesses of the workspace first.
  createTakes: () => ["GET", "GET", "POST"],
};
