import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { rounds } from "../rounds";
import { expectAsserted, NEVER_UPDATED } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { subjects } from "./subjects";

const RUNS = rounds(60, 6);

describe.each(subjects)("%s shows no changes", (token, subject) => {
  const { definition, programs } = subject;

  test("after a create, and after a refresh", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        expect(resource.check(program)).toEqual([]);
        await resource.create(program);
        expect(resource.preview(program).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(program).changes).toEqual([]);
        expect(resource.inputs).toEqual(program);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("after an up to a different program, and after a refresh", async () => {
    let updates = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, async (first, second) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        const sent = world.requests.length;
        await resource.up(second);
        if (world.requests.length > sent) updates++;
        expect(resource.preview(second).changes).toEqual([]);
        await resource.refresh();
        expect(resource.preview(second).changes).toEqual([]);
        expect(resource.inputs).toEqual(second);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, updates, NEVER_UPDATED);
  });

  test("for the inputs that a read by its ID returns", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        const read = new Resource(world, definition);
        await read.get(resource.id);
        expect(read.id).toBe(resource.id);
        expect(read.preview(read.inputs).changes).toEqual([]);
        const again = new Resource(world, definition);
        await again.get(resource.id);
        expect(again.inputs).toEqual(read.inputs);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("in an up of the same program, which sends nothing", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        const sent = world.requests.length;
        expect(await resource.up(program)).toBe(false);
        expect(world.requests.length).toBe(sent);
      }),
      { numRuns: 20 },
    );
  });
});

/** The outputs that are declared as always present. */
const always = subjects.flatMap(([token, subject]) => {
  const names = fieldsOf(subject.definition).flatMap(({ name, schema, facts }) =>
    !isWritable(facts) && !schema.safeParse(null).success ? [name] : [],
  );
  return names.length > 0 ? [[token, names, subject] as const] : [];
});

describe.each(always)("%s has the outputs %j", (_, names, { definition, programs, world }) => {
  test("after a create and after a refresh", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const resource = new Resource(await world(), definition);
        await resource.create(program);
        for (const name of names) expect(resource.outputs).toHaveProperty(name);
        await resource.refresh();
        for (const name of names) expect(resource.outputs).toHaveProperty(name);
      }),
      { numRuns: 5 },
    );
  });
});
