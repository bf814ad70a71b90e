import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import notificationConfiguration from "../../../provider/services/workspaces/notificationConfiguration";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { WORKSPACE_ID, workspaceWorld } from "./ofWorkspace";

const ALL = `/api/v2/workspaces/${WORKSPACE_ID}/notification-configurations`;
const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
const URLS = ["https://hooks.example.com/one", "https://hooks.example.com/two"];

/** Sends a request for the configuration `deploys`, found by its name: the state of a story may not contain its ID. */
async function ask(world: World, method: string, attributes?: Json): Promise<void> {
  const { json } = await world.send("GET", ALL, undefined, headers);
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string; attributes: { name: string } }[] };
  const own = data.find(({ attributes: { name } }) => name === "deploys");
  if (own === undefined) throw new RejectedRequest(404, "there is none");
  const body =
    attributes === undefined ? undefined : { data: { type: "notification-configurations", attributes } };
  expectAccepted(await world.send(method, `/api/v2/notification-configurations/${own.id}`, body, headers));
}

const events = fc.constantFrom<Json[]>(["run:created"], ["run:errored", "run:completed"], []);

/** The notification configuration `deploys` of the workspace `app`. */
export const notificationSubject: Subject = {
  definition: notificationConfiguration,
  world: async () => workspaceWorld(notificationConfiguration),
  programs: fc
    .record({
      workspaceId: fc.constant(WORKSPACE_ID),
      name: fc.constant("deploys"),
      destinationType: fc.constant("generic"),
      url: fc.constantFrom(...URLS),
      enabled: maybe(fc.boolean()),
      triggers: maybe(events),
    })
    .map(defined),
  edits: fc.oneof(
    fc
      .constantFrom(...URLS, "https://hooks.example.com/theirs")
      .map((value): Edit => ({ property: "url", value })),
    fc.boolean().map((value): Edit => ({ property: "enabled", value })),
    events.map((value): Edit => ({ property: "triggers", value })),
  ),
  edit: (world, _, { property, value }) => ask(world, "PATCH", { [property]: value }),
  takeAway: (world) => ask(world, "DELETE"),
  // The create reads its organization and the workspace's configurations first.
  createTakes: () => ["GET", "GET", "POST"],
};
