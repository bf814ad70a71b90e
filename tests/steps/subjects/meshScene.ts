import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import { World } from "../world";

export type Members = { [member: string]: Json };

const headers = { "x-mesh-token": "manager", "content-type": "application/json" };

/** A Consul server with one management token. */
export async function meshWorld(definition: Definition, switches: object = {}): Promise<World> {
  const service = new MeshService({
    seed: { tokens: { manager: { management: true } } },
    switches: { edition: "enterprise", ...switchesFor(definition), ...switches },
  });
  return new World(service, definition, { token: "manager" });
}

/** Reads an object as another user. */
export async function read(world: World, path: string): Promise<Json> {
  const answer = await world.send("GET", path, undefined, headers);
  expectAccepted(answer);
  return answer.json ?? null;
}

/** Sends a PUT of another user, and returns the response. */
export async function write(world: World, path: string, body: Json): Promise<Json> {
  const answer = await world.send("PUT", path, body, headers);
  expectAccepted(answer);
  return answer.json ?? null;
}

/** Sends a DELETE of another user. */
export async function take(world: World, path: string): Promise<void> {
  expectAccepted(await world.send("DELETE", path, undefined, headers));
}
