import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

/** The organization `acme` with an owner, and with a team that may do nothing. */
export const SEED = {
  tokens: {
    owner: { user: "olga", organizations: { acme: ["owners"] } },
    stranger: { user: "sven", organizations: { acme: ["strangers"] } },
  },
  organizations: { acme: { teams: { strangers: {} } } },
};
/** Whoever a token belongs to, as the service wants to know. */
export const as = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/vnd.api+json",
});

/** A service, a way to it, and a workspace that is not created yet. */
export function scene({ switches = {}, token = "owner" }: { switches?: object; token?: string } = {}) {
  const stub = new WorkspacesService({ seed: SEED, switches: { dialect: "neutral", ...switches } });
  const world = new World(stub, workspace, { token, organization: "acme" });
  return { stub, world, resource: new Resource(world, workspace) };
}

/** A workspace that was created with this program; no request is counted yet. */
export async function made(program: Values) {
  const all = scene();
  await all.resource.create(program);
  all.world.requests.length = 0;
  return all;
}

/** The attributes of the last PATCH of the workspace itself. */
export function patched(world: World): { [member: string]: Json } | undefined {
  const patches = world.requests.filter(
    ({ method, path }) => method === "PATCH" && /\/workspaces\/ws-[^/]+$/.test(path),
  );
  const body = patches.at(-1)?.body as { data: { attributes: { [member: string]: Json } } } | undefined;
  return body?.data.attributes;
}
