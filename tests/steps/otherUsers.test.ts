import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { canonicalField } from "../../provider/core/diff/normalize";
import { isAdditive } from "../../provider/core/diff/walk";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { isObject, type Json, omit } from "../../provider/core/value/json";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { differingLeaves, leavesOf } from "./leaves";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { changeable, removable } from "./subjects";
import type { World } from "./world";

const RUNS = rounds(60, 8);

/** Conflict messages about another user's change, and about a value in a property that the program starts to manage. */
const CONFLICT =
  /was changed (outside this stack|by someone else, or by your own [^;]+)( \(or by a killed command\))?/;
const CONFLICT_OR_FIRST_READ = new RegExp(
  `${CONFLICT.source}|already has values in properties that the program starts to manage`,
);

async function createResource(
  subject: Subject,
  program: Values,
): Promise<{ world: World; resource: Resource }> {
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  return { world, resource };
}

/** The stored value of each property, read by another user. */
async function readStored(subject: Subject, world: World, resource: Resource): Promise<Values> {
  const reader = new Resource(world, subject.definition);
  await reader.get(resource.id);
  // The records of a read by ID contain every property.
  return reader.record.observed as Values;
}

/** The properties with a different value that this program manages, by the name in which the program sets each. */
function changedManaged(subject: Subject, program: Values, before: Values, after: Values): string[] {
  const changed = fieldsOf(subject.definition).flatMap(({ name }) =>
    changesManaged(subject, program, before, after, name) ? [writtenAs(subject, program, name)] : [],
  );
  return [...new Set(changed)].sort();
}

/** Whether the value of a property differs and this program manages the property. */
function changesManaged(
  subject: Subject,
  program: Values,
  before: Values,
  after: Values,
  property: string,
): boolean {
  if (program[writtenAs(subject, program, property)] === undefined && !isRival(subject, program, property))
    return false;
  const field = fieldsOf(subject.definition).find(({ name }) => name === property);
  const mine = (value: Json | undefined) =>
    field && isAdditive(field, program) && Array.isArray(value) && Array.isArray(program[property])
      ? value.filter((element) => (canonicalField(field, program[property]) as Json[]).includes(element))
      : value;
  return !isDeepStrictEqual(uncounted(mine(before[property])), uncounted(mine(after[property])));
}

/** Whether a property is managed as empty because it excludes one that this program sets. */
function isRival({ definition }: Subject, program: Values, property: string): boolean {
  return (definition.rules ?? []).some(({ exclusive }) => {
    const [first = "", second = ""] = exclusive?.pair ?? [];
    const given = property === first ? second : property === second ? first : "";
    return given !== "" && property !== exclusive?.computed && (program[given] ?? null) !== null;
  });
}

/** The value without the indexes that a service counts inside an object, and without an order of members. */
function uncounted(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => uncounted(element) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      /^(Create|Modify)Index$/.test(name) ? [] : [[name, uncounted(member) ?? null]],
    ),
  );
}

/** The property in which a program sets the value that is recorded under this name: maybe a different form of it. */
function writtenAs({ definition }: Subject, program: Values, property: string): string {
  const form = fieldsOf(definition).find(
    ({ name, facts }) => facts.formOf === property && program[name] !== undefined,
  );
  return form?.name ?? property;
}

/** The parts of an edit that are no longer stored although they still apply. */
function lostPaths(subject: Subject, before: Values, after: Values, now: Values): string[] {
  const [was, is, then] = [leavesOf(before), leavesOf(after), leavesOf(now)];
  return differingLeaves(was, is)
    .filter((path) => is.get(path) !== then.get(path))
    .filter((path) => !subject.isNoLongerLookedAt?.(path, then));
}

describe.each(changeable)("another user's change to a %s", (token, subject) => {
  const { programs, edits } = subject;

  test("shows as drift after a refresh only if the program manages it, and the next up reverts it", async () => {
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const { world, resource } = await createResource(subject, program);
        const before = await readStored(subject, world, resource);
        await subject.edit(world, resource, edit);
        const after = await readStored(subject, world, resource);
        const managed = changedManaged(subject, program, before, after);
        if (managed.length > 0) shown++;

        expect(resource.preview(program).changes).toEqual([]);
        await resource.refresh();
        const { changes } = resource.preview(program);
        expect([...new Set(changes.map(({ path }) => path[0]))].sort()).toEqual(managed);
        expect(changes.every(({ cause }) => cause === "drift")).toBe(true);

        await resource.up(program);
        expect(resource.preview(program).changes).toEqual([]);
        const back = await readStored(subject, world, resource);
        if (managed.length > 0) expect(changedManaged(subject, program, before, back)).toEqual([]);
        else expect(back[edit.property]).toEqual(after[edit.property]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, shown);
  });

  test("needs no write after a refresh if the program is updated with the refreshed values", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const { world, resource } = await createResource(subject, program);
        await subject.edit(world, resource, edit);
        await resource.refresh();
        const theirs = { ...resource.inputs };
        if (resource.check(theirs).length > 0) return;
        if (!isDeepStrictEqual(theirs, program)) taken++;
        const sent = world.requests.filter(({ nature }) => nature !== "read").length;
        expect(resource.preview(theirs).changes).toEqual([]);
        await resource.up(theirs);
        expect(world.requests.filter(({ nature }) => nature !== "read").length).toBe(sent);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, taken);
  });

  test("survives an update after a refresh if no program writes the changed property", async () => {
    await fc.assert(
      fc.asyncProperty(programs, subject.compatible ?? programs, edits, async (first, second, edit) => {
        const written = writtenAs(subject, first, edit.property);
        const [before, after] = [first, second].map((program) => omit(program, new Set([written]))) as [
          Values,
          Values,
        ];
        const isWritten = writtenAs(subject, after, edit.property) !== edit.property;
        if (isWritten || isRival(subject, before, written) || isRival(subject, after, written)) return;
        const checked = new Resource(await subject.world(), subject.definition);
        if ([before, after].some((program) => checked.check(program).length > 0)) return;
        const { world, resource } = await createResource(subject, before);
        await subject.edit(world, resource, edit);
        const theirs = await readStored(subject, world, resource);
        await resource.refresh();
        await resource.up(after);
        expect((await readStored(subject, world, resource))[written]).toEqual(theirs[written]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });

  test("between our read and our write is a conflict that writes nothing if the program manages it", async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, edits, async (first, second, edit) => {
        const { world, resource } = await createResource(subject, first);
        const before = await readStored(subject, world, resource);
        await subject.edit(world, resource, edit);
        const after = await readStored(subject, world, resource);
        let failure: unknown;
        try {
          await resource.up(second);
        } catch (error) {
          failure = error;
        }
        const now = await readStored(subject, world, resource);
        if (failure !== undefined) {
          conflicts++;
          // If both programs set the same value, the message must say that it has changed since the last read.
          const isWrittenAlike = isDeepStrictEqual(first[edit.property], second[edit.property]);
          expect(String(failure)).toMatch(isWrittenAlike ? CONFLICT : CONFLICT_OR_FIRST_READ);
          expect(String(failure)).toContain(writtenAs(subject, second, edit.property));
          expect(now).toEqual(after);
          await resource.refresh();
          await resource.up(second);
        } else expect(lostPaths(subject, before, after, now)).toEqual([]);
        expect(resource.preview(second).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expect(conflicts).toBeGreaterThan(0);
  });

  test("is overwritten and printed if the program sets onConflict: overwrite", async () => {
    let printed = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, edits, async (first, second, edit) => {
        const { world, resource } = await createResource(subject, first);
        await subject.edit(world, resource, edit);
        const before = world.logged.length;
        const overwriting = { ...second, onConflict: "overwrite" };
        await resource.update(overwriting);
        const lines = world.logged
          .slice(before)
          .filter((line) => line.includes("overwriting an object that was changed"));
        if (lines.length > 0) {
          printed++;
          expect(lines.join("\n")).toContain(writtenAs(subject, second, edit.property));
        }
        await resource.refresh();
        await resource.up(overwriting);
        expect(resource.preview(overwriting).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expect(printed).toBeGreaterThan(0);
  });
});

describe.each(removable.filter(([, { isFixed }]) => !isFixed))(
  "another user's change to a %s",
  (_, subject) => {
    const { programs, edits } = subject;

    test("that deletes the object is found by a refresh, and a delete succeeds", async () => {
      const [program] = fc.sample(programs, 1);
      const { world, resource } = await createResource(subject, program ?? {});
      await subject.takeAway?.(world, resource);
      expect(await resource.refresh()).toBe(false);
      await resource.delete();
    });

    test("before a delete is a conflict that deletes nothing if the program manages it", async () => {
      let conflicts = 0;
      await fc.assert(
        fc.asyncProperty(programs, edits, async (program, edit) => {
          const { world, resource } = await createResource(subject, program);
          const before = await readStored(subject, world, resource);
          await subject.edit(world, resource, edit);
          const after = await readStored(subject, world, resource);
          // If the other user removed all of the program's values, there is no conflict.
          const isTaken = (await subject.isTakenAway?.(world, resource)) ?? false;
          if (!isTaken && changedManaged(subject, program, before, after).length > 0) {
            conflicts++;
            await expect(resource.delete()).rejects.toThrow("was changed outside this stack");
            expect(await readStored(subject, world, resource)).toEqual(after);
            await resource.refresh();
          }
          await resource.delete();
          if (subject.isTakenAway) {
            expect(await subject.isTakenAway(world, resource)).toBe(true);
            return;
          }
          // A workspace ID alone does not give the organization, so that nothing proves the deletion.
          await expect(new Resource(world, subject.definition).get(resource.id)).rejects.toThrow(
            /does not exist|returned 404/,
          );
        }),
        { numRuns: runs(subject, RUNS) },
      );
      expect(conflicts).toBeGreaterThan(0);
    });
  },
);

describe.each(changeable.filter(([, { takeAway }]) => !takeAway))(
  "a %s, which cannot be deleted,",
  (_, subject) => {
    test("stays unchanged on the service after a delete, which sends nothing and prints a warning", async () => {
      await fc.assert(
        fc.asyncProperty(subject.programs, subject.edits, async (program, edit) => {
          const { world, resource } = await createResource(subject, program);
          await subject.edit(world, resource, edit);
          const before = await readStored(subject, world, resource);
          const sent = world.requests.length;
          await resource.delete();
          expect(world.requests.length).toBe(sent);
          expect(world.logged.at(-1)).toMatch(/^warning: the resource is removed only from the state: /);
          expect(await readStored(subject, world, resource)).toEqual(before);
        }),
        { numRuns: 20 },
      );
    });
  },
);
