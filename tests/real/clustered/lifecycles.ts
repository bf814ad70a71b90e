import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import { reset } from "../reset";
import type { Clustered } from "../servers/clusters";
import { OtherUser } from "./otherUser";
import type { Part } from "./parts";
import { StoryClient } from "./storyClient";

/** A part on a complete cluster, through a standby server. */
async function preparePart({ cluster, server }: Clustered, part: Part) {
  await cluster.makeComplete(server.token);
  await reset();
  const world = await part.subject.world();
  const client = new StoryClient(world, (await cluster.standby()).address, server.token);
  return { client, otherUser: new OtherUser(world, part) };
}

/** An object without a delete request exists when it is created again, so the program adopts it. */
const firstProgram = ({ subject, first }: Part) => (subject.takeAway ? first : { ...first, adopt: true });

/**
 * Creates, updates, refreshes and deletes an object several times, without a change in a preview and without a
 * message.
 */
export async function expectNoChangesInLifecycles(
  clustered: Clustered,
  part: Part,
  times: number,
): Promise<void> {
  const { client } = await preparePart(clustered, part);
  const { world } = client;
  const first = firstProgram(part);
  for (let time = 0; time < times; time++) {
    const resource = new Resource(world, part.subject.definition);
    await resource.create(first);
    expect(resource.preview(first).changes).toEqual([]);
    await resource.up(part.second);
    expect(resource.preview(part.second).changes).toEqual([]);
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(part.second).changes).toEqual([]);
    if (part.subject.takeAway) expect(world.logged).toEqual([]);
    await resource.delete();
  }
  await client.close();
}

/** Creates an object that another user edits, and updates it, several times. Each update is a conflict. */
export async function expectConflicts(clustered: Clustered, part: Part, times: number): Promise<void> {
  const { client, otherUser } = await preparePart(clustered, part);
  for (let time = 0; time < times; time++) {
    const resource = new Resource(client.world, part.subject.definition);
    await resource.create(firstProgram(part));
    await otherUser.applyEdit(resource);
    const edited = await otherUser.values(resource.id);
    await expect(resource.up(part.second)).rejects.toThrow(ConflictError);
    expect(await otherUser.values(resource.id)).toEqual(edited);
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
  }
  await client.close();
}
