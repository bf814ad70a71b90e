import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { PlaceMemory } from "../../provider/core/language/placeMemory";
import type { Json } from "../../provider/core/value/json";
import configEntry from "../../provider/services/mesh/configEntry";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import { dumped } from "../faults/dump";
import { rounds } from "../rounds";
import { isDeleted } from "./afterFailure";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { removable } from "./subjects";
import { configEntrySubject } from "./subjects/configEntry";
import { queueRoleSubject } from "./subjects/secrets";
import { write } from "./subjects/secretsScene";
import type { World } from "./world";

/**
 * Commands that write an object, and then delete an old state entry of the same object: a rename without an alias, a replacement
 * that the engine decides on its own (`pulumi up --replace`, a taint), a pending replacement that the program reverts.
 */

const KEPT = "this command created, updated or adopted the object at the same address";

const adoptable = removable.filter(([, { definition }]) => "adopt" in definition.fields);

const dumpOf = ({ stub }: World) => dumped(stub.dump());

const sampled = ({ programs }: Subject, seed = 2): Values => {
  const [program = {}] = fc.sample(programs, { numRuns: 1, seed });
  return program;
};

/** A copy of a state entry, in a new command or in the command of a different entry. */
function entryOf({ world, definition, id, outputs, inputs }: Resource, places?: PlaceMemory): Resource {
  const entry = new Resource(world, definition);
  Object.assign(entry, { id, outputs, inputs, ...(places && { places }) });
  return entry;
}

/** Deletes an old entry, and expects that nothing is sent. */
async function expectKept(old: Resource): Promise<void> {
  const { world } = old;
  const before = dumpOf(world);
  world.requests.length = 0;
  await old.delete();
  expect(dumpOf(world)).toBe(before);
  expect(world.requests).toEqual([]);
  expect(world.logged.join("\n")).toContain(KEPT);
}

describe.each(adoptable)("a %s that is adopted before its older entry is deleted", (_, subject) => {
  const adopted = async () => {
    const world = await subject.world();
    const program = { ...sampled(subject), adopt: true };
    const old = new Resource(world, subject.definition);
    await old.create(program);
    const adopter = new Resource(world, subject.definition);
    adopter.places = old.places = new PlaceMemory();
    await adopter.create(program);
    return { world, program, old, adopter };
  };

  test("is kept with a warning", async () => {
    const { program, old, adopter } = await adopted();
    await expectKept(old);
    expect(await adopter.refresh()).toBe(true);
    expect(adopter.preview(program).changes).toEqual([]);
  });

  test("is deleted by a later command", async () => {
    const { world, old, adopter } = await adopted();
    await adopter.refresh();
    old.places = new PlaceMemory();
    await old.refresh();
    await old.delete();
    expect(await isDeleted(subject, world, old)).toBe(true);
  });
});

describe.each(removable)("a %s", (_, subject) => {
  test("that is created again after a failed replacement is not deleted by the pending delete", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, fc.boolean(), async (program, isRefreshed) => {
        const world = await subject.world();
        const old = new Resource(world, subject.definition);
        await old.create(program);
        if (isRefreshed) await old.refresh();
        const again = new Resource(world, subject.definition);
        await entryOf(old).delete();
        again.places = old.places = new PlaceMemory();
        await again.create(program);
        // If the service chooses IDs, it does not find the old one.
        if (again.id === old.id) await expectKept(old);
        else await old.delete();
        expect(await again.refresh()).toBe(true);
        expect(again.preview(program).changes).toEqual([]);
      }),
      { numRuns: rounds(12, 2) },
    );
  });

  test("that is updated is not deleted by an older entry", async () => {
    const world = await subject.world();
    const program = sampled(subject);
    const old = new Resource(world, subject.definition);
    await old.create(program);
    old.places = new PlaceMemory();
    const current = entryOf(old, old.places);
    await current.update(sampled(subject, 4));
    await expectKept(old);
    expect(await current.refresh()).toBe(true);
  });

  test("is deleted before its replacement, with or without changes", async () => {
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(sampled(subject));
    expect(resource.preview(sampled(subject))).toMatchObject({ changes: [], deleteFirst: true });
    for (const timeouts of [{ delete: 9 }, { create: 9 }] as Json[])
      expect(resource.preview({ ...sampled(subject), timeouts }).deleteFirst).toBe(true);
  });
});

test("an object whose create has an unknown outcome is not deleted by an older entry", async () => {
  const world = await queueRoleSubject.world();
  const program = sampled(queueRoleSubject);
  const old = new Resource(world, queueRoleSubject.definition);
  await old.create(program);
  await entryOf(old).delete();
  const again = new Resource(world, queueRoleSubject.definition);
  again.places = old.places = new PlaceMemory();
  let isSent = false;
  world.fate = ({ nature }) => {
    if (nature !== "read" && !isSent) {
      isSent = true;
      return "response hangs";
    }
    return isSent ? "request lost" : "passes";
  };
  await expect(again.create(program)).rejects.toThrow();
  world.fate = () => "passes";
  expect(again.isHalfDone).toBe(true);
  await expectKept(old);
});

test("a configuration entry that changes from the generic to the typed resource is kept", async () => {
  const world = await configEntrySubject.world();
  const spec = { protocol: "grpc" };
  const old = new Resource(world, configEntry);
  await old.create({ kind: "service-defaults", name: "web", spec: { Protocol: "grpc" } });
  const adopter = new Resource(world, serviceDefaults);
  adopter.places = old.places = new PlaceMemory();
  await adopter.create({ name: "web", spec, adopt: true });
  await old.delete();
  expect(await adopter.refresh()).toBe(true);
});

test("an object of the same name in a different mount is a different object", async () => {
  const world = await queueRoleSubject.world();
  const role = { name: "reader", tags: "management" };
  await write(world, "sys/mounts/queue", { type: "rabbitmq" });
  const [one, other] = ["msgq", "queue"].map(() => new Resource(world, queueRoleSubject.definition));
  if (one === undefined || other === undefined) throw new Error("two roles");
  await other.create(role);
  one.places = other.places = new PlaceMemory();
  await one.create({ ...role, mount: "queue" });
  await other.delete();
  expect(await other.refresh()).toBe(false);
  expect(await one.refresh()).toBe(true);
});

describe.each(procedures)("a %s", (_, { definition, scene }) => {
  const isSideBySide = definition.life.createBeforeDelete === true;

  test(`that is run again ${isSideBySide ? "does not prevent" : "is not ended by"} the delete of its older entry`, async () => {
    const { world, program } = await scene();
    const old = new Resource(world, definition);
    await old.create(program);
    const again = entryOf(old);
    again.places = old.places = new PlaceMemory();
    if (isSideBySide) await again.create(program);
    else await again.update(program);
    world.requests.length = 0;
    world.logged.length = 0;
    await old.delete();
    expect(world.logged.join("\n").includes(KEPT)).toBe(!isSideBySide);
    if (!isSideBySide) expect(world.requests).toEqual([]);
    expect(await again.refresh()).toBe(true);
  });
});
