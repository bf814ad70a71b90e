import fc from "fast-check";
import { createdAtLast, isGone } from "./afterFailure";
import { Resource } from "./resource";
import { runs } from "./runs";
import { removable, subjects } from "./subjects";
import type { Fate, World } from "./world";

const RUNS = 60;
const fates = fc.constantFrom<Fate>("request lost", "response lost");

/** From here on, loses the request of this number, and no other. */
function lose(world: World, number: number, fate: Fate): { happened(): boolean } {
  let sent = 0;
  world.fate = () => (sent++ === number ? fate : "passes");
  return { happened: () => sent > number };
}

describe.each(subjects)("a lost request or answer of a %s", (_, subject) => {
  const { definition, programs } = subject;

  test("in a create leaves one object, which the next up finishes", async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(5), fates, async (program, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const loss = lose(world, number, fate);
        const failure = await resource.create(program).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) {
          expect(loss.happened()).toBe(true);
          await createdAtLast(resource, program);
        }
        expect(resource.preview(program).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(program).changes).toEqual([]);
        const creates = world.requests.filter(
          ({ method, path }) =>
            method === "POST" && path.endsWith(definition.life.writes.create.path.split("/").at(-1) ?? ""),
        );
        expect(creates.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("in an update is looked at; the next refresh and up end where the program wants", async () => {
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.nat(5), fates, async (first, second, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        lose(world, number, fate);
        const failure = await resource.up(second).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure instanceof Error) {
          await resource.refresh();
          await resource.up(second);
        }
        expect(resource.preview(second).changes).toEqual([]);
        await resource.refresh();
        expect(resource.preview(second).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
  });

  test("in an update needs no refresh where nobody else was there", async () => {
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.nat(5), fates, async (first, second, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        lose(world, number, fate);
        await resource.up(second).catch(() => undefined);
        world.fate = () => "passes";
        await resource.up(second);
        expect(resource.preview(second).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
  });
});

describe.each(removable)("a lost request or answer of a %s", (_, subject) => {
  const { definition, programs } = subject;

  test("in a delete ends with the object gone, at the latest after another delete", async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(4), fates, async (program, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        lose(world, number, fate);
        const failure = await resource.delete().catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) await resource.delete();
        expect(await isGone(subject, world, resource)).toBe(true);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});
