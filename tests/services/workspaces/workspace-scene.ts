import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

/** The organization `acme` with an owner, and with a team that has no permissions. */
export const SEED = {
  tokens: {
    owner: { user: "olga", organizations: { acme: ["owners"] } },
    stranger: { user: "sven", organizations: { acme: ["strangers"] } },
  },
  organizations: { acme: { teams: { strangers: {} } } },
};

/** Moves the owner to another organization, so that the token can no longer read `acme`. */
export const OWNER_WITHOUT_ACCESS = {
  tokens: { owner: { user: "olga", organizations: { other: ["owners"] } } },
  organizations: { other: {} },
};

export const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };

/** The headers of a user's request outside the stack. */
export const as = (token: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/vnd.api+json",
});

/** A service, a connection to it, and a workspace that is not created yet. */
export function scene({ switches = {}, token = "owner" }: { switches?: object; token?: string } = {}) {
  const stub = new WorkspacesService({ seed: SEED, switches: { dialect: "neutral", ...switches } });
  const world = new World(stub, workspace, { token, organization: "acme" });
  return { stub, world, resource: new Resource(world, workspace) };
}

/** Creates a workspace with this program and clears the list of requests. */
export async function made(program: Values) {
  const all = scene();
  await all.resource.create(program);
  all.world.requests.length = 0;
  return all;
}

/** Sends a request outside the stack, as the owner, to a path below `workspaces`. */
export async function ask(world: World, method: string, path: string, data?: Json) {
  const body = data === undefined ? undefined : { data };
  const { status, json } = await world.send(method, `/api/v2/workspaces/${path}`, body, as("owner"));
  expect(status).toBeLessThan(300);
  // The stub returns a JSON:API document.
  return json as { data: { attributes: Values; relationships: Values } };
}

/** Changes attributes of a workspace outside the stack. */
export const edit = (world: World, id: string, attributes: { [name: string]: Json }) =>
  ask(world, "PATCH", id, { type: "workspaces", attributes });

/** Assigns an SSH key outside the stack. */
export const assign = (world: World, id: string, key: string | null) =>
  ask(world, "PATCH", `${id}/relationships/ssh-key`, { type: "workspaces", attributes: { id: key } });

/** The attributes of a workspace on the server. */
export const attributesOf = async (world: World, id: string): Promise<Values> =>
  (await ask(world, "GET", id)).data.attributes;

/** The attributes of every PATCH of the workspace itself. */
export function patches({ requests }: World): { [member: string]: Json }[] {
  const own = requests.filter(
    ({ method, path }) => method === "PATCH" && /\/workspaces\/ws-[^/]+$/.test(path),
  );
  return own.map(
    ({ body }) => (body as { data: { attributes: { [member: string]: Json } } }).data.attributes,
  );
}

/** The attributes of the last PATCH of the workspace itself. */
export const lastPatch = (world: World) => patches(world).at(-1);
