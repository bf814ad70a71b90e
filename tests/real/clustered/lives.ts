import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import { reset } from "../reset";
import type { Clustered } from "../servers/clusters";
import type { Part } from "./cast";
import { Person } from "./person";
import { StoryWay } from "./way";

/** A part on a whole cluster, by way of a standby. */
async function staged({ cluster, server }: Clustered, part: Part) {
  await cluster.whole(server.token);
  await reset();
  const world = await part.subject.world();
  const way = new StoryWay(world, (await cluster.standby()).address, server.token);
  return { way, person: new Person(world, part) };
}

/** What nobody can delete is there when it is made again. */
const taken = ({ subject, first }: Part) => (subject.takeAway ? first : { ...first, adopt: true });

/** Created, updated, refreshed and deleted, many times, with nothing to tell. */
export async function expectQuietLives(clustered: Clustered, part: Part, times: number): Promise<void> {
  const { way } = await staged(clustered, part);
  const { world } = way;
  const first = taken(part);
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
  await way.close();
}

/** Made, edited by somebody, and updated, many times: each is a conflict. */
export async function expectConflicts(clustered: Clustered, part: Part, times: number): Promise<void> {
  const { way, person } = await staged(clustered, part);
  for (let time = 0; time < times; time++) {
    const resource = new Resource(way.world, part.subject.definition);
    await resource.create(taken(part));
    await person.edits(resource);
    const edited = await person.held(resource.id);
    await expect(resource.up(part.second)).rejects.toThrow(ConflictError);
    expect(await person.held(resource.id)).toEqual(edited);
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
  }
  await way.close();
}
