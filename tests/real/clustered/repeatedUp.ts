import type { Values } from "../../../provider/core/language/object";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import type { Clustered } from "../servers/clusters";
import { Failover, type Moment } from "./failover";
import { StoryClient } from "./storyClient";

/** The maximum number of runs of a command. */
const MAX_ROUNDS = 6;

/** A resource of a complete cluster, through a standby server. */
export interface PreparedResource {
  readonly client: StoryClient;
  readonly resource: Resource;
}

/** @param before the same resource, through a server that may have been killed */
export async function prepareResource(
  { cluster, server }: Clustered,
  definition: AnyDefinition,
  otherUser: World,
  before?: Resource,
): Promise<PreparedResource> {
  await cluster.makeComplete(server.token);
  const client = new StoryClient(otherUser, (await cluster.standby()).address, server.token);
  const resource = new Resource(client.world, definition);
  if (before) {
    resource.id = before.id;
    resource.outputs = before.outputs;
    resource.inputs = before.inputs;
    resource.isHalfDone = before.isHalfDone;
  }
  return { client: client, resource };
}

/** The result of a command that was run until it succeeded, or the maximum number of times. */
export interface UpResult {
  /** The messages of the failed commands. */
  readonly messages: readonly string[];
  readonly isDone: boolean;
  /** All messages, in order. */
  readonly output: string;
}

/** Runs `pulumi up` several times. The active server is killed at one of its requests. */
export async function upDuringFailover(
  { cluster }: Clustered,
  { client, resource }: PreparedResource,
  program: Values,
  moment: Moment,
  number = 1,
): Promise<UpResult> {
  const failover = new Failover(cluster, moment, 1);
  client.arm(failover, "the write", number);
  const messages: string[] = [];
  let isDone = false;
  while (!isDone && messages.length < MAX_ROUNDS) {
    try {
      await (resource.id === "" ? resource.create(program) : resource.up(program));
      isDone = true;
    } catch (error) {
      messages.push(String(error));
      // A user stops after the same message twice.
      if (messages.length > 1 && messages.at(-1) === messages.at(-2)) break;
    }
  }
  if (!client.disarm()) throw new Error("the failover happened without this story");
  await failover.ended;
  return { messages, isDone, output: [...messages, ...client.world.logged].join("\n") };
}
