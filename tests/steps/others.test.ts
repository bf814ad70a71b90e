import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { canonicalField } from "../../provider/core/diff/normalize";
import { isAdditive } from "../../provider/core/diff/walk";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { isObject, type Json } from "../../provider/core/value/json";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { differingLeaves, leavesOf } from "./leaves";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { changeable, removable } from "./subjects";
import type { World } from "./world";

const RUNS = rounds(60, 8);

/** What a conflict says of what somebody changed, and of what stands where the program only begins to manage. */
const SINCE_READ =
  /was changed by somebody else(, or with our own [^;]+,| \(or by a command that was killed\))? since it was last read/;
const SINCE_READ_OR_BEFORE = new RegExp(
  `${SINCE_READ.source}|holds something already in what the program only begins to manage`,
);

async function made(subject: Subject, program: Values): Promise<{ world: World; resource: Resource }> {
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  return { world, resource };
}

/** What the service holds of each property, read by a stranger. */
async function held(subject: Subject, world: World, resource: Resource): Promise<Values> {
  const stranger = new Resource(world, subject.definition);
  await stranger.get(resource.id);
  // What is read by its id alone has every property in the records.
  return stranger.record.observed as Values;
}

/** Whether an edit moves something that this program manages to another value than it has. */
function moves(
  subject: Subject,
  program: Values,
  before: Values,
  after: Values,
  { property }: Edit,
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

/** Whether a property excludes one that this program sets, and is managed as empty for that reason. */
function isRival({ definition }: Subject, program: Values, property: string): boolean {
  return (definition.rules ?? []).some(({ exclusive }) => {
    const [first = "", second = ""] = exclusive?.pair ?? [];
    const given = property === first ? second : property === second ? first : "";
    return given !== "" && property !== exclusive?.computed && (program[given] ?? null) !== null;
  });
}

/** Without the indexes that a service counts inside an object, in whatever order it answers members. */
function uncounted(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => uncounted(element) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      /^(Create|Modify)Index$/.test(name) ? [] : [[name, uncounted(member) ?? null]],
    ),
  );
}

/** The property under which a program writes what is recorded as this one: in another form, maybe. */
function writtenAs({ definition }: Subject, program: Values, property: string): string {
  const form = fieldsOf(definition).find(
    ({ name, facts }) => facts.formOf === property && program[name] !== undefined,
  );
  return form?.name ?? property;
}

/** What of an edit, leaf by leaf and element by element, is no longer there though it is still looked at. */
function lost(subject: Subject, before: Values, after: Values, now: Values): string[] {
  const [was, is, then] = [leavesOf(before), leavesOf(after), leavesOf(now)];
  return differingLeaves(was, is)
    .filter((path) => is.get(path) !== then.get(path))
    .filter((path) => !subject.isNoLongerLookedAt?.(path, then));
}

describe.each(changeable)("what others do to a %s", (token, subject) => {
  const { programs, edits } = subject;

  test("shows after a refresh if the program manages it, and only then; the next up puts it back and is quiet", async () => {
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const { world, resource } = await made(subject, program);
        const before = await held(subject, world, resource);
        await subject.edit(world, resource, edit);
        const after = await held(subject, world, resource);
        const isManaged = moves(subject, program, before, after, edit);
        if (isManaged) shown++;

        expect(resource.preview(program).changes).toEqual([]);
        await resource.refresh();
        const { changes } = resource.preview(program);
        expect([...new Set(changes.map(({ path }) => path[0]))]).toEqual(
          isManaged ? [writtenAs(subject, program, edit.property)] : [],
        );
        expect(changes.every(({ cause }) => cause === "drift")).toBe(true);

        await resource.up(program);
        expect(resource.preview(program).changes).toEqual([]);
        const back = await held(subject, world, resource);
        if (isManaged) expect(moves(subject, program, before, back, edit)).toBe(false);
        else expect(back[edit.property]).toEqual(after[edit.property]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, shown);
  });

  test("is the program's after a refresh whose values it writes itself", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const { world, resource } = await made(subject, program);
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

  test("between our read and our write is a conflict that writes nothing, if the program manages it", async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, edits, async (first, second, edit) => {
        const { world, resource } = await made(subject, first);
        const before = await held(subject, world, resource);
        await subject.edit(world, resource, edit);
        const after = await held(subject, world, resource);
        let failure: unknown;
        try {
          await resource.up(second);
        } catch (error) {
          failure = error;
        }
        const now = await held(subject, world, resource);
        if (failure !== undefined) {
          conflicts++;
          // Of what the program wrote before, it is known since when it is another.
          const isWrittenAlike = isDeepStrictEqual(first[edit.property], second[edit.property]);
          expect(String(failure)).toMatch(isWrittenAlike ? SINCE_READ : SINCE_READ_OR_BEFORE);
          expect(String(failure)).toContain(writtenAs(subject, second, edit.property));
          expect(now).toEqual(after);
          await resource.refresh();
          await resource.up(second);
        } else expect(lost(subject, before, after, now)).toEqual([]);
        expect(resource.preview(second).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expect(conflicts).toBeGreaterThan(0);
  });

  test("is overwritten only where the program insists, and what it replaces is printed first", async () => {
    let printed = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, edits, async (first, second, edit) => {
        const { world, resource } = await made(subject, first);
        await subject.edit(world, resource, edit);
        const before = world.logged.length;
        const insisting = { ...second, onConflict: "overwrite" };
        await resource.update(insisting);
        const lines = world.logged
          .slice(before)
          .filter((line) => line.includes("overwriting what was changed"));
        if (lines.length > 0) {
          printed++;
          expect(lines.join("\n")).toContain(writtenAs(subject, second, edit.property));
        }
        await resource.refresh();
        await resource.up(insisting);
        expect(resource.preview(insisting).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expect(printed).toBeGreaterThan(0);
  });
});

describe.each(removable.filter(([, { isFixed }]) => !isFixed))("what others do to a %s", (_, subject) => {
  const { programs, edits } = subject;

  test("that takes the object away shows as gone, and only a proof counts", async () => {
    const [program] = fc.sample(programs, 1);
    const { world, resource } = await made(subject, program ?? {});
    await subject.takeAway?.(world, resource);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("before a delete is a conflict that deletes nothing, if the program manages it", async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const { world, resource } = await made(subject, program);
        const before = await held(subject, world, resource);
        await subject.edit(world, resource, edit);
        const after = await held(subject, world, resource);
        // Where others took away all of it, nothing is left to be in conflict about.
        const isTaken = (await subject.isTakenAway?.(world, resource)) ?? false;
        if (!isTaken && moves(subject, program, before, after, edit)) {
          conflicts++;
          await expect(resource.delete()).rejects.toThrow("was changed by somebody else");
          expect(await held(subject, world, resource)).toEqual(after);
          await resource.refresh();
        }
        await resource.delete();
        if (subject.isTakenAway) {
          expect(await subject.isTakenAway(world, resource)).toBe(true);
          return;
        }
        // By a workspace's id alone, its organization is unknown, and nothing proves that it is gone.
        await expect(new Resource(world, subject.definition).get(resource.id)).rejects.toThrow(
          /does not exist|answered 404/,
        );
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expect(conflicts).toBeGreaterThan(0);
  });
});

describe.each(changeable.filter(([, { takeAway }]) => !takeAway))(
  "a %s, which nobody can delete",
  (_, subject) => {
    test("stays on the service, whatever others did to it; a delete sends nothing, and says so", async () => {
      await fc.assert(
        fc.asyncProperty(subject.programs, subject.edits, async (program, edit) => {
          const { world, resource } = await made(subject, program);
          await subject.edit(world, resource, edit);
          const before = await held(subject, world, resource);
          const sent = world.requests.length;
          await resource.delete();
          expect(world.requests.length).toBe(sent);
          expect(world.logged.at(-1)).toMatch(/^warning: it leaves the state only: /);
          expect(await held(subject, world, resource)).toEqual(before);
        }),
        { numRuns: 20 },
      );
    });
  },
);
