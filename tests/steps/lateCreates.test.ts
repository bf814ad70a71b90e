import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import { AlreadyExistsError, ConflictError, PartialError } from "../../provider/core/state/errors";
import { hasPendingCreate } from "../../provider/core/state/records";
import { blank, expectQuiet, hold, inTime, type Scene, scenes, writesOf } from "./late";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

describe.each(scenes)("a %s whose create hangs", (_, scene) => {
  const { first, isNamed } = scene;

  test.each(inTime)("and is carried out %s, is made by that one request", async (__, after) => {
    const { world, resource, writes } = await blank(scene);
    hold(world, after);
    await resource.create(first);
    expect(writes()).toBe(1);
    await expectQuiet(resource, first);
  });

  test("and is never carried out, is told as open, and made by the next up", async () => {
    const { world, resource, writes } = await blank(scene);
    hold(world);
    const failure = await resource.create(first).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/within 20 s; it may still be carried out/);
    expect(writes()).toBe(1);
    expect(resource.id !== "").toBe(isNamed);
    if (isNamed) {
      expect(hasPendingCreate(resource.record)).toBe(true);
      expect(resource.preview(first).changes).not.toEqual([]);
      await resource.up(first);
    } else {
      expect(String(failure)).toMatch(/makes its id, so that nothing is kept .* adopt: true takes it over/);
      await resource.create(first);
    }
    expect(writes()).toBe(2);
    await expectQuiet(resource, first);
  });

  test("and is carried out after the grace, is taken by the next up as it is", async () => {
    const { world, resource, writes } = await blank(scene);
    const late = hold(world);
    await expect(resource.create(first)).rejects.toThrow("may still be carried out");
    await late.arrive();
    if (isNamed) {
      await resource.up(first);
      expect(writes()).toBe(1);
    } else {
      await expect(resource.create(first)).rejects.toThrow(AlreadyExistsError);
      await resource.create({ ...first, adopt: true });
      await resource.up(first);
    }
    await expectQuiet(resource, first);
  });

  test("and arrives just before it is sent once more, is its own", async () => {
    const { world, resource, writes } = await blank(scene);
    const late = hold(world, undefined, { breaks: true });
    const holds = world.fate;
    world.fate = async (request) => {
      if (request.nature !== "read" && writes() === 2) await late.arrive();
      return holds(request);
    };
    await resource.create(first);
    expect(writes()).toBe(2);
    await expectQuiet(resource, first);
  });

  test("and is lost while somebody else makes another one of its name, leaves theirs alone", async () => {
    const { world, resource } = await blank(scene);
    let other: Resource | undefined;
    world.fate = async ({ nature }) => {
      if (nature === "read" || other !== undefined) return "passes";
      other = await another(scene, world);
      return "request lost";
    };
    await expect(resource.create(first)).rejects.toThrow(AlreadyExistsError);
    expect(await other?.refresh()).toBe(true);
    expect(other?.preview(scene.third).changes).toEqual([]);
  });
});

const named = scenes.filter(([, { isNamed }]) => isNamed);

describe.each(named)("a %s whose create loses its connection every time", (_, scene) => {
  test("was looked at each time, is sent four times at most, and leaves nothing in the state", async () => {
    const { world, resource, writes } = await blank(scene);
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request lost");
    const failure = await resource.create(scene.first).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(PartialError);
    expect(String(failure)).toMatch(
      /It was looked at, and the service shows nothing of it\. Next: pulumi up again\.$/,
    );
    expect(writes()).toBe(4);
    expect(resource.id).toBe("");
  });
});

describe.each(named)("a %s that was made and could not be read back", (_, scene) => {
  const { subject, first, edit, moved } = scene;

  async function unread() {
    const { world, resource, writes } = await blank(scene);
    let isMade = false;
    world.afterwards = ({ nature }) => {
      isMade ||= nature !== "read";
    };
    world.fate = ({ nature }) => (isMade && nature === "read" ? "request lost" : "passes");
    await expect(resource.create(first)).rejects.toThrow(PartialError);
    world.fate = () => "passes";
    expect(resource.record.pending?.kind).toBe("unverified");
    return { world, resource, writes };
  }

  test.each(["up", "refresh"] as const)("hides nobody else's edit from the next %s", async (way) => {
    const { world, resource } = await unread();
    await subject.edit(world, resource, edit);
    if (way === "up") {
      const failure = resource.update(first);
      await expect(failure).rejects.toThrow(ConflictError);
      await expect(failure).rejects.toThrow(moved);
    } else {
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join("\n")).toContain(moved);
      const drifted = resource.preview(first).changes.filter(({ cause }) => cause === "drift");
      expect(drifted.map(({ path }) => path.join(".")).join()).toContain(moved);
    }
  });

  test("is on record as unread, and is looked at before anything is written again", async () => {
    const { resource, writes } = await unread();
    expect(writes()).toBe(1);
    expect(await resource.refresh()).toBe(true);
    expect(resource.record.pending?.kind).toBe("incomplete");
    await resource.up(first);
    expect(writes()).toBe(1);
    await expectQuiet(resource, first);
  });
});

describe.each(named)("a %s that is perhaps made", (_, scene) => {
  const { subject, first, second, third } = scene;

  async function perhaps() {
    const { world, resource } = await blank(scene);
    const late = hold(world);
    await expect(resource.create(first)).rejects.toThrow("may still be carried out");
    return { world, resource, late, writes: writesOf(world) };
  }

  test("is brought to what the program writes now, whether it came late or not", async () => {
    for (const isLate of [false, true]) {
      const { resource, late, writes } = await perhaps();
      if (isLate) await late.arrive();
      await resource.up(second);
      expect(writes()).toBe(1);
      await expectQuiet(resource, second);
    }
  });

  test("is asked about where another object is there, and nothing is written", async () => {
    const { world, resource, writes } = await perhaps();
    const other = await another(scene, world);
    const failure = await resource.up(first).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AlreadyExistsError);
    expect(String(failure)).not.toContain("did not make it");
    expect(writes()).toBe(0);
    expect(await other.refresh()).toBe(true);
    expect(other.preview(third).changes).toEqual([]);
    expect(hasPendingCreate(resource.record)).toBe(true);
  });

  test("and that is destroyed, sends no delete where it is absent", async () => {
    const { resource, writes } = await perhaps();
    await resource.delete();
    expect(writes()).toBe(0);
  });

  test("and that is destroyed, is deleted where it is just what was written", async () => {
    const { resource, late, writes } = await perhaps();
    await late.arrive();
    await resource.delete();
    expect(writes()).toBe(1);
    const again = new Resource(resource.world, subject.definition);
    await again.create(first);
  });

  test("and that is destroyed, leaves another object alone, and says so", async () => {
    const { world, resource, writes } = await perhaps();
    const other = await another(scene, world);
    await resource.delete();
    expect(writes()).toBe(0);
    expect(await other.refresh()).toBe(true);
    expect(other.preview(third).changes).toEqual([]);
    expect(world.logged.join("\n")).toContain("is left alone");
  });

  test("is no longer ours once someone has added to it: an update asks, a refresh keeps it pending, a destroy leaves it", async () => {
    const edited = async () => {
      const { world, resource, late, writes } = await perhaps();
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
    expect(deleted.world.logged.join("\n")).toContain("is left alone");
  });

  test("stays so by a refresh that shows nothing of it", async () => {
    const { resource, writes } = await perhaps();
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(true);
    await resource.up(first);
    expect(writes()).toBe(1);
    await expectQuiet(resource, first);
  });

  test("stays so by a refresh that shows another object", async () => {
    const { world, resource } = await perhaps();
    await another(scene, world);
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(true);
    await expect(resource.up(first)).rejects.toThrow(AlreadyExistsError);
  });

  test("is taken by a refresh that shows it", async () => {
    const { resource, late, writes } = await perhaps();
    await late.arrive();
    expect(await resource.refresh()).toBe(true);
    expect(hasPendingCreate(resource.record)).toBe(false);
    await expectQuiet(resource, first);
    expect(writes()).toBe(0);
  });
});

const fixed = subjects.filter(([, { definition }]) =>
  fieldsOf(definition).some(({ facts }) => facts.immutable),
);

describe.each(fixed)(
  "a %s, of which something is fixed once it exists, that is perhaps made",
  (_, subject) => {
    test.each([true, false])(
      "is taken or made by the next up, and never replaced (it came late: %p)",
      async (isLate) => {
        await fc.assert(
          fc.asyncProperty(subject.programs, async (program) => {
            const world = await subject.world();
            const resource = new Resource(world, subject.definition);
            const late = hold(world);
            await expect(resource.create(program)).rejects.toThrow("may still be carried out");
            if (isLate) await late.arrive();
            const writes = writesOf(world);
            expect(resource.preview(program).changes.filter(({ replaces }) => replaces)).toEqual([]);
            await resource.up(program);
            expect(writes()).toBe(isLate ? 0 : 1);
            await expectQuiet(resource, program);
          }),
          { numRuns: 5 },
        );
      },
    );

    test("is made anew where the program writes another value of that", async () => {
      const [fixedField] = fieldsOf(subject.definition).filter(({ facts }) => facts.immutable);
      await fc.assert(
        fc.asyncProperty(subject.programs, async (program) => {
          const world = await subject.world();
          const resource = new Resource(world, subject.definition);
          hold(world);
          await expect(resource.create(program)).rejects.toThrow("may still be carried out");
          const { changes } = resource.preview({ ...program, [fixedField?.name ?? ""]: "other" });
          expect(changes.filter(({ replaces }) => replaces).map(({ path: [name] }) => name)).toEqual([
            fixedField?.name,
          ]);
        }),
        { numRuns: 5 },
      );
    });
  },
);

/** Somebody's own object of the same name, which differs from what the program writes. */
async function another({ subject, third }: Scene, world: World): Promise<Resource> {
  const other = new Resource(world.another(), subject.definition);
  await other.create(third);
  return other;
}
