import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { completePath, partsInPath } from "../../provider/core/language/route";
import { filledPath } from "../../provider/core/requests/send";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { BY_LIST } from "./byList";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

const RUNS = rounds(40, 5);

const sharing = subjects.filter(([, { definition }]) => carryingList(definition.life.reads) !== undefined);

/** Refreshes a resource until its service no longer changes it: a controller of a real server writes the status of new objects. */
async function refreshUntilUnchanged({ connection }: World, resource: Resource): Promise<void> {
  for (let before = "", count = 0; count < 20; count++) {
    await resource.refresh();
    const now = JSON.stringify(resource.outputs);
    if (now === before) return;
    before = now;
    await connection.runtime.sleep(300);
  }
}

describe.each(sharing)("a %s that is read from a list", (_, subject) => {
  const { definition, programs } = subject;

  test("has the same outputs as in its own read, and that read is not sent", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        await refreshUntilUnchanged(world, resource);
        const { outputs } = resource;
        const copy = copyOf(resource, world);
        world.requests.length = 0;
        expect(await copy.refresh(BY_LIST)).toBe(true);
        expect(copy.inputs).toEqual(program);
        // The list, and the parts that the list does not contain.
        expect(world.requests).toHaveLength(subject.refreshTakes?.(program) ?? 1);
        if (partsInPath(definition.life.reads.one).length > 0)
          expect(world.requests.map(({ path }) => path)).not.toContain(ownPath(definition, resource, world));
        // A controller of a real server may have changed the index just before or just after the list.
        await resource.refresh();
        expect([outputs, resource.outputs]).toContainEqual(copy.outputs);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("is read by itself if the list no longer contains it", async () => {
    const { takeAway } = subject;
    if (takeAway === undefined) return;
    const [program = {}] = fc.sample(programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, definition);
    await resource.create(program);
    await takeAway(world, resource);
    const copy = copyOf(resource, world);
    world.requests.length = 0;
    expect(await copy.refresh(BY_LIST)).toBe(false);
    expect(world.requests.length).toBeGreaterThan(1);
  });
});

const changing = sharing.filter(([, { isFixed }]) => !isFixed);

describe.each(changing)("a %s that someone else changed", (token, subject) => {
  const { definition, programs, edits } = subject;

  test("is reported in the same way by a list and by its own read", async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        await resource.refresh();
        const before = JSON.stringify(resource.outputs);
        await subject.edit(world, resource, edit);
        const copy = copyOf(resource, world);
        const logStart = world.logged.length;
        const isThere = await copy.refresh(BY_LIST);
        const messages = world.logged.splice(logStart);
        expect(await resource.refresh()).toBe(isThere);
        expect(world.logged.slice(logStart)).toEqual(messages);
        expect(read(copy.outputs)).toEqual(read(resource.outputs));
        expect(read(copy.inputs)).toEqual(read(resource.inputs));
        if (!isThere || JSON.stringify(resource.outputs) !== before) changed += 1;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, changed);
  });
});

/** The same resource in the state of another stack. */
function copyOf({ definition, id, outputs, inputs }: Resource, world: World): Resource {
  return Object.assign(new Resource(world, definition), { id, outputs, inputs });
}

/** The path of the read of an object by itself. */
function ownPath(
  { life, service }: Definition,
  { record: { address } }: Resource,
  { connection }: World,
): string {
  return completePath(service, filledPath(life.reads.one.path, address, connection));
}

/** Values with every JSON string parsed: a service may return the members of a map in any order. */
function read(values: Values): unknown {
  return JSON.parse(JSON.stringify(values), (_, value) => {
    if (typeof value !== "string" || !value.startsWith("{")) return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  });
}
