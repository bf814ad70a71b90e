import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import { World } from "../world";

const headers = { "x-sched-token": "manager", "content-type": "application/json" };

/** A new mock Nomad server. */
export async function schedulerWorld(
  definition: AnyDefinition,
  { switches = switchesFor(definition), seed = {} }: { switches?: object; seed?: object } = {},
): Promise<World> {
  const stub = new SchedulerService({
    seed: { tokens: { manager: { management: true } }, ...seed },
    random: () => 0.5,
    switches,
  });
  return new World(stub, definition, { token: "manager" });
}

export type Members = { [member: string]: Json };

/** Reads an object as another user, with the service's names. */
export async function read(world: World, path: string): Promise<Members> {
  const answer = await world.send("GET", path, undefined, headers);
  expectAccepted(answer);
  // The stub returns an object.
  return answer.json as Members;
}

/** Sends a write of another user, without a precondition. */
export async function write(world: World, path: string, body: Json): Promise<void> {
  expectAccepted(await world.send("POST", path, body, headers));
}

/** Sends a write of another user as a PUT. */
export async function put(world: World, path: string, body: Json): Promise<void> {
  expectAccepted(await world.send("PUT", path, body, headers));
}

/** Changes one member of an object as another user, without a precondition. */
export async function change(world: World, path: string, member: string, value: Json): Promise<void> {
  await write(world, path, { ...(await read(world, path)), [member]: value });
}

/** Deletes an object as another user. */
export async function take(world: World, path: string): Promise<void> {
  expectAccepted(await world.send("DELETE", path, undefined, headers));
}
