import fc from "fast-check";
import { rounds } from "../rounds";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { subjects } from "./subjects";

const RUNS = rounds(40, 10);

describe.each(subjects)("the requests of a %s", (_, subject) => {
  const { definition, programs } = subject;

  test("are the expected ones in a create and a refresh, and none in a second up", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        expect(world.requests.map(({ method }) => method)).toEqual(subject.createTakes(program));
        world.requests.length = 0;
        await resource.refresh();
        expect(world.requests).toHaveLength(subject.refreshTakes?.(program) ?? 1);
        world.requests.length = 0;
        await resource.up(program);
        expect(world.requests).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("have the priority of a write after a read in an update and a delete", async () => {
    const asked = async (run: () => Promise<unknown>) => {
      world.requests.length = 0;
      await run();
      return world.requests.filter(({ nature }) => nature !== "read");
    };
    const [first = {}, second = {}] = fc.sample(programs, { numRuns: 2, seed: 1 });
    const world = await subject.world();
    const resource = new Resource(world, definition);
    const created = await asked(() => resource.create(first));
    const updated = await asked(() => resource.up(second));
    const deleted = await asked(() => resource.delete());
    // A create that reads first, because it has no precondition, has that priority, too.
    for (const { followsRead, freshUntil } of created)
      expect(followsRead).toBe(freshUntil === undefined ? undefined : true);
    for (const { followsRead } of [...updated, ...deleted]) expect(followsRead).toBe(true);
  });

  test("are none for a change of onConflict and timeouts", async () => {
    const [program = {}] = fc.sample(programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, definition);
    await resource.create(program);
    world.requests.length = 0;
    expect(await resource.up({ ...program, onConflict: "overwrite", timeouts: { delete: 5 } })).toBe(true);
    expect(world.requests).toEqual([]);
    expect(resource.record.lastApplied).toMatchObject({ onConflict: "overwrite", timeouts: { delete: 5 } });
  });

  test("in a preview are one dry run of a new object if the service supports it, and none otherwise", async () => {
    const { life } = definition;
    const isForetold = life.kind === "object" && life.writes.forecast !== undefined;
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        world.requests.length = 0;
        const { inputs } = await resource.prepare(program);
        const read = world.requests.length;
        await resource.forecast(inputs);
        expect(world.requests.slice(read).map(({ label }) => label.step)).toEqual(
          isForetold ? ["forecast"] : [],
        );
        await resource.create(program);
        world.requests.length = 0;
        await resource.forecast(program);
        await resource.forecast({ ...program, onConflict: "overwrite" });
        expect(world.requests).toEqual([]);
      }),
      { numRuns: runs(subject, rounds(12, 4)) },
    );
  });

  test("are labeled with the resource type and the step", async () => {
    const [program = {}] = fc.sample(programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, definition);
    await resource.create(program);
    expect(new Set(world.requests.map(({ label }) => `${label.definition} ${label.step}`))).toEqual(
      new Set([`${definition.token} create`]),
    );
  });
});
