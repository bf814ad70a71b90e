import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { AlreadyExistsError } from "../../provider/core/state/errors";
import { isObject } from "../../provider/core/value/json";
import { isEmpty } from "../../provider/core/value/scalar";
import { dumped } from "../faults/dump";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { subjects } from "./subjects";
import type { World } from "./world";

/** Definitions with few programs that set only values that the service returns. */
const SELDOM = rounds(0, 1) === 1 ? ["secrets:CloudRoot"] : [];

const RUNS = rounds(40, 6);

const NEVER_THE_SAME = {
  "workspaces:RemoteStateConsumers": "an identical object is always adopted",
  "workspaces:SshKey": "every program sets a value that the service never returns",
  "secrets:MfaMethod": "every program sets a value that the service never returns",
  "secrets:UserpassUser": "every program sets a value that the service never returns",
  "secrets:DirectoryConfig": "every program sets a value that the service never returns",
};

const adoptable = subjects.filter(([, { definition }]) => "adopt" in definition.fields);

/** The object of a killed create: another process created it, and no state contains it. */
async function createAndForget({ definition }: Subject, world: World, program: Values): Promise<Resource> {
  const killed = new Resource(world.another(), definition);
  await killed.create(program);
  return killed;
}

function nextCreate({ definition }: Subject, world: World): Resource {
  const resource = new Resource(world, definition);
  resource.adoptsIdentical = true;
  return resource;
}

/** An edit that adds an entry to the first map of texts in a program. */
function addedEntry(program: Values): Edit | undefined {
  const map = Object.entries(program).find(
    ([, value]) => isObject(value) && Object.values(value).every((each) => typeof each === "string"),
  );
  if (map === undefined || !isObject(map[1])) return undefined;
  return { property: map[0], value: { ...map[1], added: "by others" } };
}

const dumpOf = ({ stub }: World) => dumped(stub.dump());

const adoptionMessages = ({ logged }: World) =>
  logged.filter((line) => line.includes("is identical to the program's object"));

/** The requests that may write. A create that adopts sends at most one: create the object if it does not exist. */
const writeRequests = ({ requests }: World) =>
  requests.filter(({ method, path }) => !["GET", "LIST"].includes(method) && !path.endsWith("/parse"));

describe.each(adoptable)("%s with adoption of identical objects", (token, subject) => {
  test("adopts the object of a killed create, logs it, writes nothing, and shows no changes", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const world = await subject.world();
        const killed = await createAndForget(subject, world, program);
        const before = dumpOf(world);
        const resource = nextCreate(subject, world);
        const failure = await resource.create(program).catch((error: unknown) => error);
        expect(dumpOf(world)).toBe(before);
        if (failure !== undefined) {
          // A value that the service never returns, or has changed, cannot be recognized as the same.
          expect(failure).toBeInstanceOf(AlreadyExistsError);
          // `operations` is the legacy form of a mode: a read cannot tell it from a mode that someone else chose.
          const isOlder = "operations" in program;
          expect(String(failure)).toMatch(
            isOlder ? /the object has all values/ : /the server never returns|the object differs:/,
          );
          return;
        }
        taken += adoptionMessages(world).length;
        expect(writeRequests(world).length).toBeLessThanOrEqual(1);
        expect(resource.id).toBe(killed.id);
        expect(resource.preview(program).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(program).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    if (!SELDOM.includes(token)) expectAsserted(token, taken, NEVER_THE_SAME);
  });

  test("adopts an identical object without a write if the program sets adopt: true", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const world = await subject.world();
        await createAndForget(subject, world, program);
        const before = dumpOf(world);
        const resource = new Resource(world, subject.definition);
        await resource.create({ ...program, adopt: true });
        if (adoptionMessages(world).length === 0) return;
        taken += 1;
        expect(writeRequests(world).length).toBeLessThanOrEqual(1);
        expect(dumpOf(world)).toBe(before);
        expect(resource.preview({ ...program, adopt: true }).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    if (!SELDOM.includes(token)) expectAsserted(token, taken, NEVER_THE_SAME);
  });

  test("does not adopt an object that someone has edited, and fails because it already exists", async () => {
    if (subject.isFixed) return;
    let left = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.edits, fc.boolean(), async (program, random, isAdded) => {
        const edit = (isAdded ? addedEntry(program) : undefined) ?? random;
        // An import omits an empty string in a map, too.
        if (isEmpty(edit.value)) return;
        const world = await subject.world();
        const killed = await createAndForget(subject, world, program);
        const made = dumpOf(world);
        await subject.edit(world.another(), killed, edit).catch(() => undefined);
        const before = dumpOf(world);
        // Only edits that a refresh shows under the original program count.
        if (before === made || !(await killed.refresh()) || killed.preview(program).changes.length === 0)
          return;
        const resource = nextCreate(subject, world);
        const failure = await resource.create(program).catch((error: unknown) => error);
        // The edit may have moved the object to a different address.
        if (failure === undefined && adoptionMessages(world).length === 0) return;
        left += 1;
        expect({ said: adoptionMessages(world), failure }).toEqual({
          said: [],
          failure: expect.any(AlreadyExistsError),
        });
        expect(dumpOf(world)).toBe(before);
      }),
      { numRuns: runs(subject, RUNS) * 2 },
    );
    expectAsserted(token, left, {});
  });

  test("does not adopt an identical object if the program sets adopt: false", async () => {
    if (token in NEVER_THE_SAME) return;
    let left = 0;
    for (const program of fc.sample(subject.programs, { numRuns: 5, seed: 1 })) {
      const world = await subject.world();
      await createAndForget(subject, world, program);
      const before = dumpOf(world);
      const failure = await nextCreate(subject, world)
        .create({ ...program, adopt: false })
        .catch((error: unknown) => error);
      expect({ said: adoptionMessages(world), held: dumpOf(world) }).toEqual({ said: [], held: before });
      if (failure instanceof AlreadyExistsError) left += 1;
    }
    expect(left).toBeGreaterThan(0);
  });
});
