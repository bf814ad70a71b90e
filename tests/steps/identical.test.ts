import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { AlreadyExistsError } from "../../provider/core/state/errors";
import { isEmpty } from "../../provider/core/value/equality";
import { dumped } from "../faults/dumped";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import type { World } from "./world";

/** Few programs of these write nothing that the service never shows. */
const SELDOM = rounds(0, 1) === 1 ? ["secrets:CloudRoot"] : [];

const RUNS = rounds(40, 6);

const NEVER_THE_SAME = {
  "workspaces:RemoteStateConsumers": "what is the same is taken over unasked",
  "secrets:MfaMethod": "every program writes what the service never shows",
  "secrets:DirectoryConfig": "every program writes what the service never shows",
};

const adoptable = subjects.filter(([, { definition }]) => "adopt" in definition.fields);

/** What a create that was killed left: made by a process of its own, of which nothing is in any state. */
async function leftBehind({ definition }: Subject, world: World, program: Values): Promise<Resource> {
  const killed = new Resource(world.another(), definition);
  await killed.create(program);
  return killed;
}

function next({ definition }: Subject, world: World): Resource {
  const resource = new Resource(world, definition);
  resource.adoptsIdentical = true;
  return resource;
}

const held = ({ stub }: World) => dumped(stub.dump());

const said = ({ logged }: World) => logged.filter((line) => line.includes("is just what the program writes"));

/** What was sent that may write: of a create that takes over, at most that it be made if there is none. */
const sent = ({ requests }: World) =>
  requests.filter(({ method, path }) => !["GET", "LIST"].includes(method) && !path.endsWith("/parse"));

describe.each(adoptable)("%s, where what is identical is taken over,", (token, subject) => {
  test("takes what a killed create left, says so, writes nothing, and is quiet", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const world = await subject.world();
        const killed = await leftBehind(subject, world, program);
        const before = held(world);
        const resource = next(subject, world);
        const failure = await resource.create(program).catch((error: unknown) => error);
        expect(held(world)).toBe(before);
        if (failure !== undefined) {
          // What the service never shows, or made another value, nobody can know for the same.
          expect(failure).toBeInstanceOf(AlreadyExistsError);
          // `operations` is the older spelling of a mode, by which nobody tells it from a mode that somebody chose.
          const isOlder = "operations" in program;
          expect(String(failure)).toMatch(isOlder ? /it holds everything/ : /it never shows|it differs:/);
          return;
        }
        taken += said(world).length;
        expect(sent(world).length).toBeLessThanOrEqual(1);
        expect(resource.id).toBe(killed.id);
        expect(resource.preview(program).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(program).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    if (!SELDOM.includes(token)) expectAsserted(token, taken, NEVER_THE_SAME);
  });

  test("adopts it without a write where the program asks for that", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const world = await subject.world();
        await leftBehind(subject, world, program);
        const before = held(world);
        const resource = new Resource(world, subject.definition);
        await resource.create({ ...program, adopt: true });
        if (said(world).length === 0) return;
        taken += 1;
        expect(sent(world).length).toBeLessThanOrEqual(1);
        expect(held(world)).toBe(before);
        expect(resource.preview({ ...program, adopt: true }).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    if (!SELDOM.includes(token)) expectAsserted(token, taken, NEVER_THE_SAME);
  });

  test("leaves what anybody has edited, and says how it differs or what is beside it", async () => {
    if (subject.isFixed) return;
    let left = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.edits, async (program, edit) => {
        // An empty text in a map is left out by an import, too.
        if (isEmpty(edit.value)) return;
        const world = await subject.world();
        const killed = await leftBehind(subject, world, program);
        const made = held(world);
        await subject.edit(world.another(), killed, edit).catch(() => undefined);
        const before = held(world);
        // What a refresh shows under the program that made it is somebody's.
        if (before === made || !(await killed.refresh()) || killed.preview(program).changes.length === 0)
          return;
        const resource = next(subject, world);
        const failure = await resource.create(program).catch((error: unknown) => error);
        // It may no longer be where the program's object is.
        if (failure === undefined && said(world).length === 0) return;
        left += 1;
        expect({ said: said(world), failure }).toEqual({ said: [], failure: expect.any(AlreadyExistsError) });
        expect(held(world)).toBe(before);
      }),
      { numRuns: runs(subject, RUNS) * 2 },
    );
    expectAsserted(token, left, {});
  });

  test("leaves it where the program says that nothing is to be taken over", async () => {
    if (token in NEVER_THE_SAME) return;
    let left = 0;
    for (const program of fc.sample(subject.programs, { numRuns: 5, seed: 1 })) {
      const world = await subject.world();
      await leftBehind(subject, world, program);
      const before = held(world);
      const failure = await next(subject, world)
        .create({ ...program, adopt: false })
        .catch((error: unknown) => error);
      expect({ said: said(world), held: held(world) }).toEqual({ said: [], held: before });
      if (failure instanceof AlreadyExistsError) left += 1;
    }
    expect(left).toBeGreaterThan(0);
  });
});
