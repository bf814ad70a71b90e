import type { Values } from "../../../provider/core/language/object";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import type { Clustered } from "../servers/clusters";
import { Fall, type Moment } from "./fall";
import { StoryWay } from "./way";

/** How often a command is run at most. */
const ROUNDS = 6;

/** A resource by way of a standby of a whole cluster. */
export interface Staged {
  readonly way: StoryWay;
  readonly resource: Resource;
}

/** @param before the same resource, by a server that may have ended */
export async function staged(
  { cluster, server }: Clustered,
  definition: AnyDefinition,
  person: World,
  before?: Resource,
): Promise<Staged> {
  await cluster.whole(server.token);
  const way = new StoryWay(person, (await cluster.standby()).address, server.token);
  const resource = new Resource(way.world, definition);
  if (before) {
    resource.id = before.id;
    resource.outputs = before.outputs;
    resource.inputs = before.inputs;
    resource.isHalfDone = before.isHalfDone;
  }
  return { way, resource };
}

/** What came of a command that was run until it succeeded, or often enough. */
export interface Came {
  /** What each command that failed has said. */
  readonly said: readonly string[];
  readonly isDone: boolean;
  /** All that was said, in the order of it. */
  readonly told: string;
}

/** Runs an up again and again, while the active server ends under one of its requests. */
export async function upUnder(
  { cluster }: Clustered,
  { way, resource }: Staged,
  program: Values,
  moment: Moment,
  number = 1,
): Promise<Came> {
  const fall = new Fall(cluster, moment, 1);
  way.arm(fall, "the write", number);
  const said: string[] = [];
  let isDone = false;
  while (!isDone && said.length < ROUNDS) {
    try {
      await (resource.id === "" ? resource.create(program) : resource.up(program));
      isDone = true;
    } catch (error) {
      said.push(String(error));
      // Who is told the same twice stops.
      if (said.length > 1 && said.at(-1) === said.at(-2)) break;
    }
  }
  if (!way.disarm()) throw new Error("the active server ended beside this story");
  await fall.ended;
  return { said, isDone, told: [...said, ...way.world.logged].join("\n") };
}
