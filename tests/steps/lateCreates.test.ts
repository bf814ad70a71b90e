import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import { AlreadyExistsError, ConflictError, PartialError } from "../../provider/core/state/errors";
import { hasPendingCreate } from "../../provider/core/state/records";
import { expectUnchanged, hold, inTime, newResource, type Scene, scenes, writesOf } from "./late";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

describe.each(scenes)("a %s whose create request is delayed or lost", (_, scene) => {
  const { first, isNamed } = scene;

  test.each(inTime)("is created by that one request if the service applies it %s", async (__, after) => {
    const { world, resource, writes } = await newResource(scene);
    hold(world, after);
    await resource.create(first);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
  });

  test("is created by that one request if the connection breaks after the service applied it", async () => {
    const { world, resource, writes } = await newResource(scene);
    hold(world, 0, { breaks: true });
    await resource.create(first);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
  });

  test("is reported with an unknown outcome if the request is never applied, and the next up creates it", async () => {
    const { world, resource, writes } = await newResource(scene);
    hold(world);
    const failure = await resource.create(first).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/within 20 s; the request may still be applied/);
    expect(writes()).toBe(1);
    expect(resource.id !== "").toBe(isNamed);
    if (isNamed) {
      expect(hasPendingCreate(resource.record)).toBe(true);
      expect(resource.preview(first).changes).not.toEqual([]);
      await resource.up(first);
    } else {
      expect(String(failure)).toMatch(
        /assigns its ID, so the state has no record of it.* adopt: true to adopt the object/,
      );
      await resource.create(first);
    }
    expect(writes()).toBe(2);
    await expectUnchanged(resource, first);
  });

  test("is accepted by the next up or by adoption if the request is applied after the grace period", async () => {
    const { world, resource, writes } = await newResource(scene);
    const late = hold(world);
    await expect(resource.create(first)).rejects.toThrow("may still be applied");
    await late.arrive();
    if (isNamed) {
      await resource.up(first);
      expect(writes()).toBe(1);
    } else {
      await expect(resource.create(first)).rejects.toThrow(AlreadyExistsError);
      await resource.create({ ...first, adopt: true });
      await resource.up(first);
    }
    await expectUnchanged(resource, first);
  });

  test("is recognized as created by us if the first request arrives just before the second", async () => {
    const { world, resource, writes } = await newResource(scene);
    const late = hold(world, undefined, { breaks: true });
    const holds = world.fate;
    world.fate = async (request) => {
      if (request.nature !== "read" && writes() === 2) await late.arrive();
      return holds(request);
    };
    await resource.create(first);
    expect(writes()).toBe(2);
    await expectUnchanged(resource, first);
  });

  test("fails if someone else creates an object of the same name, which stays unchanged", async () => {
    const { world, resource } = await newResource(scene);
    let other: Resource | undefined;
    world.fate = async ({ nature }) => {
      if (nature === "read" || other !== undefined) return "passes";
      other = await createOther(scene, world);
      return "request lost";
    };
    await expect(resource.create(first)).rejects.toThrow(AlreadyExistsError);
    expect(await other?.refresh()).toBe(true);
    expect(other?.preview(scene.third).changes).toEqual([]);
  });
});

const named = scenes.filter(([, { isNamed }]) => isNamed);

describe.each(named)("a %s whose create loses its connection every time", (_, scene) => {
  test("is probed each time, is sent at most four times, and leaves nothing in the state", async () => {
    const { world, resource, writes } = await newResource(scene);
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request lost");
    const failure = await resource.create(scene.first).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(PartialError);
    expect(String(failure)).toMatch(
      /A read after the request does not show the result\. Next: pulumi up again\.$/,
    );
    expect(writes()).toBe(4);
    expect(resource.id).toBe("");
  });
});

describe.each(named)("a %s that was created and could not be read back", (_, scene) => {
  const { subject, first, edit, driftedPath } = scene;

  async function createUnread() {
    const { world, resource, writes } = await newResource(scene);
    let isMade = false;
    world.onResponse = ({ nature }) => {
      isMade ||= nature !== "read";
    };
    world.fate = ({ nature }) => (isMade && nature === "read" ? "request lost" : "passes");
    await expect(resource.create(first)).rejects.toThrow(PartialError);
    world.fate = () => "passes";
    expect(resource.record.pending?.kind).toBe("unverified");
    return { world, resource, writes };
  }

  test.each(["up", "refresh"] as const)("shows another user's edit in the next %s", async (way) => {
    const { world, resource } = await createUnread();
    await subject.edit(world, resource, edit);
    if (way === "up") {
      const failure = resource.update(first);
      await expect(failure).rejects.toThrow(ConflictError);
      await expect(failure).rejects.toThrow(driftedPath);
    } else {
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join("\n")).toContain(driftedPath);
      const drifted = resource.preview(first).changes.filter(({ cause }) => cause === "drift");
      expect(drifted.map(({ path }) => path.join(".")).join()).toContain(driftedPath);
    }
  });

  test("is read before the next write, which is not needed", async () => {
    const { resource, writes } = await createUnread();
    expect(writes()).toBe(1);
    expect(await resource.refresh()).toBe(true);
    expect(resource.record.pending?.kind).toBe("incomplete");
    await resource.up(first);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
  });
});

describe.each(named)("a %s whose create has an unknown outcome", (_, scene) => {
  const { subject, first, second, third } = scene;

  async function createUnknown() {
    const { world, resource } = await newResource(scene);
    const late = hold(world);
    await expect(resource.create(first)).rejects.toThrow("may still be applied");
    return { world, resource, late, writes: writesOf(world) };
  }

  test("gets the program's new values from the next up, whether or not the create arrived late", async () => {
    for (const isLate of [false, true]) {
      const { resource, late, writes } = await createUnknown();
      if (isLate) await late.arrive();
      await resource.up(second);
      expect(writes()).toBe(1);
      await expectUnchanged(resource, second);
    }
  });

  test("fails the next up without a write if a different object exists, and the create stays pending", async () => {
    const { world, resource, writes } = await createUnknown();
    const other = await createOther(scene, world);
    const failure = await resource.up(first).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AlreadyExistsError);
    expect(String(failure)).not.toContain("did not make it");
    expect(writes()).toBe(0);
    expect(await other.refresh()).toBe(true);
    expect(other.preview(third).changes).toEqual([]);
    expect(hasPendingCreate(resource.record)).toBe(true);
  });

  test("sends no delete if the object does not exist", async () => {
    const { resource, writes } = await createUnknown();
    await resource.delete();
    expect(writes()).toBe(0);
  });

  test("is deleted if the object equals what was written", async () => {
    const { resource, late, writes } = await createUnknown();
    await late.arrive();
    await resource.delete();
    expect(writes()).toBe(1);
    const again = new Resource(resource.world, subject.definition);
    await again.create(first);
  });

  test("is not deleted and logs that if a different object exists", async () => {
    const { world, resource, writes } = await createUnknown();
    const other = await createOther(scene, world);
    await resource.delete();
    expect(writes()).toBe(0);
    expect(await other.refresh()).toBe(true);
    expect(other.preview(third).changes).toEqual([]);
    expect(world.logged.join("\n")).toContain("is not deleted");
  });

  test("is not ours once someone added a field: an update fails, a refresh keeps it pending, a delete skips it", async () => {
    const edited = async () => {
      const { world, resource, late, writes } = await createUnknown();
      await late.arrive();
      await subject.edit(world, resource, scene.edit);
      return { world, resource, writes };
    };
    const updated = await edited();
    await expect(updated.resource.up(first)).rejects.toThrow(AlreadyExistsError);
    expect(updated.writes()).toBe(0);
    const refreshed = await edited();
    expect(await refreshed.resource.refresh()).toBe(true);
    expect(hasPendingCreate(refreshed.resource.record)).toBe(true);
    const deleted = await edited();
    await deleted.resource.delete();
    expect(deleted.writes()).toBe(0);
    expect(deleted.world.logged.join("\n")).toContain("is not deleted");
  });

  test("stays pending after a refresh that does not find it, and the next up creates it", async () => {
    const { resource, writes } = await createUnknown();
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(true);
    await resource.up(first);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
  });

  test("stays pending after a refresh that finds a different object", async () => {
    const { world, resource } = await createUnknown();
    await createOther(scene, world);
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(true);
    await expect(resource.up(first)).rejects.toThrow(AlreadyExistsError);
  });

  test("is no longer pending after a refresh that finds it", async () => {
    const { resource, late, writes } = await createUnknown();
    await late.arrive();
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(false);
    await expectUnchanged(resource, first);
    expect(writes()).toBe(0);
  });
});

// The state has no record of an object whose ID the server has not yet assigned.
const fixed = subjects.filter(
  ([, { definition }]) =>
    fieldsOf(definition).some(({ facts }) => facts.immutable) &&
    !fieldsOf(definition).some(
      ({ name, facts }) => facts.role === "server's" && definition.where.id.template.includes(`{${name}}`),
    ),
);

describe.each(fixed)("a %s with immutable properties whose create has an unknown outcome", (_, subject) => {
  test.each([true, false])(
    "is accepted or created by the next up, and is not replaced (arrived late: %p)",
    async (isLate) => {
      await fc.assert(
        fc.asyncProperty(subject.programs, async (program) => {
          const world = await subject.world();
          const resource = new Resource(world, subject.definition);
          const late = hold(world);
          await expect(resource.create(program)).rejects.toThrow("may still be applied");
          if (isLate) await late.arrive();
          const writes = writesOf(world);
          expect(resource.preview(program).changes.filter(({ replaces }) => replaces)).toEqual([]);
          await resource.up(program);
          expect(writes()).toBe(isLate ? 0 : 1);
          await expectUnchanged(resource, program);
        }),
        { numRuns: 5 },
      );
    },
  );

  test("is replaced if the program changes an immutable property", async () => {
    const [fixedField] = fieldsOf(subject.definition).filter(({ facts }) => facts.immutable);
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const world = await subject.world();
        const resource = new Resource(world, subject.definition);
        hold(world);
        await expect(resource.create(program)).rejects.toThrow("may still be applied");
        const { changes } = resource.preview({ ...program, [fixedField?.name ?? ""]: "other" });
        expect(changes.filter(({ replaces }) => replaces).map(({ path: [name] }) => name)).toEqual([
          fixedField?.name,
        ]);
      }),
      { numRuns: 5 },
    );
  });
});

/** Another user's object of the same name, with different values than the program's. */
async function createOther({ subject, third }: Scene, world: World): Promise<Resource> {
  const other = new Resource(world.another(), subject.definition);
  await other.create(third);
  return other;
}
