import fc from "fast-check";
import { procedures } from "../../steps/procedures";
import { Resource } from "../../steps/resource";
import { subjects } from "../../steps/subjects";
import type { World } from "../../steps/world";

/** The mounts stay where the stub has them; all else goes by the real product's names. */
const REAL = { dialect: "real", queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };

function inReal(world: World): World {
  world.stub.configure({ dialect: "real" });
  return world.with(REAL);
}

const own = subjects.filter(([token]) => token.startsWith("secrets:"));

describe.each(own)("%s, by the real product's names", (_, subject) => {
  test("is created, updated and refreshed, and quiet after each", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const resource = new Resource(inReal(await subject.world()), subject.definition);
        await resource.create(first);
        expect(resource.preview(first).changes).toEqual([]);
        await resource.up(second);
        expect(resource.preview(second).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(second).changes).toEqual([]);
        const read = new Resource(resource.world, subject.definition);
        await read.get(resource.id);
        expect(read.preview(read.inputs).changes).toEqual([]);
        await resource.delete();
      }),
      { numRuns: 25 },
    );
  });
});

describe.each(procedures)("%s, by the real product's names", (_, { definition, scene }) => {
  test("comes to its end, and is quiet", async () => {
    const { world, program } = await scene();
    const resource = new Resource(inReal(world), definition);
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
    expect(await resource.refresh()).toBe(true);
    await resource.delete();
  });
});
