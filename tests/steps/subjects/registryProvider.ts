import fc from "fast-check";
import registryProvider from "../../../provider/services/workspaces/registryProvider";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import type { Subject } from "../subject";
import { World } from "../world";

const SEED = {
  tokens: {
    owner: { user: "olga", organizations: { acme: ["owners"] } },
    member: { user: "max", organizations: { acme: [] } },
  },
  organizations: { acme: {} },
};

export function registryWorld(switches: object = {}): World {
  const service = new WorkspacesService({
    seed: SEED,
    switches: { ...switchesFor(registryProvider), ...switches },
  });
  return new World(service, registryProvider, { token: "owner", organization: "acme" });
}

/** The private provider `app` of the organization `acme`. */
export const registryProviderSubject: Subject = {
  definition: registryProvider,
  isFixed: true,
  world: async () => registryWorld(),
  programs: fc.constantFrom(
    { registryName: "private", name: "app" },
    { registryName: "private", name: "app", namespace: "acme" },
    { registryName: "private", name: "app", organization: "acme" },
  ),
  edits: fc.constant({ property: "name", value: "app" }),
  edit: async () => undefined,
  async takeAway(world) {
    const path = "/api/v2/organizations/acme/registry-providers/private/acme/app";
    const answer = await world.send("DELETE", path, undefined, { authorization: "Bearer owner" });
    expectAccepted(answer);
  },
  createTakes: () => ["POST"],
};
