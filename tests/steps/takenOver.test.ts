import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import configEntry from "../../provider/services/mesh/configEntry";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import { dumped } from "../faults/dumped";
import { isGone } from "./afterFailure";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { removable } from "./subjects";
import { configEntrySubject } from "./subjects/configEntry";
import type { World } from "./world";

/**
 * What a command does that creates first and deletes afterwards, where both are the same object: a rename without an alias, a
 * replacement that the engine decided on by itself (`pulumi up --replace`, a taint).
 */

const adoptable = removable.filter(([, { definition }]) => "adopt" in definition.fields);

const held = ({ stub }: World) => dumped(stub.dump());

const programOf = ({ programs }: Subject): Values => {
  const [program] = fc.sample(programs, { numRuns: 1, seed: 2 });
  return { ...program, adopt: true };
};

/** An object on record, and another resource of the same command that takes it over. */
async function takenOver(subject: Subject) {
  const world = await subject.world();
  const program = programOf(subject);
  const old = new Resource(world, subject.definition);
  await old.create(program);
  const fresh = new Resource(world, subject.definition);
  const inCommand = new Set<string>();
  fresh.takenOver = inCommand;
  await fresh.create(program);
  return { world, program, old, fresh, inCommand };
}

describe.each(adoptable)("a %s that is taken over before its older record is deleted", (_, subject) => {
  test("stays, and is said to stay", async () => {
    const { world, program, old, fresh, inCommand } = await takenOver(subject);
    const before = held(world);
    old.takenOver = inCommand;
    world.requests.length = 0;
    await old.delete();
    expect(held(world)).toBe(before);
    expect(world.requests).toEqual([]);
    expect(world.logged.join("\n")).toContain("another resource has taken it over in this command");
    expect(await fresh.refresh()).toBe(true);
    expect(fresh.preview(program).changes).toEqual([]);
  });

  test("is deleted by a later command, which knows of no other resource", async () => {
    const { world, old, fresh } = await takenOver(subject);
    await fresh.refresh();
    old.takenOver = new Set();
    await old.refresh();
    await old.delete();
    expect(await isGone(subject, world, old)).toBe(true);
  });

  test("is deleted first where anything makes the engine replace it at its place", async () => {
    const { program, old } = await takenOver(subject);
    expect(old.preview(program).deleteFirst).toBe(false);
    expect(old.preview({ ...program, timeouts: { delete: 9 } }).deleteFirst).toBe(true);
  });
});

test("an entry that goes from the type of any kind to its own type stays, too", async () => {
  const world = await configEntrySubject.world();
  const spec = { protocol: "grpc" };
  const old = new Resource(world, configEntry);
  await old.create({ kind: "service-defaults", name: "web", spec: { Protocol: "grpc" } });
  const fresh = new Resource(world, serviceDefaults);
  fresh.takenOver = old.takenOver = new Set();
  await fresh.create({ name: "web", spec, adopt: true });
  await old.delete();
  expect(await fresh.refresh()).toBe(true);
});

test("an object of the same name in another mount is another one", async () => {
  const [, subject] = adoptable.find(([token]) => token === "secrets:QueueRole") ?? [];
  if (subject === undefined) throw new Error("there is no role");
  const { world, old, inCommand } = await takenOver(subject);
  const other = new Resource(world, subject.definition);
  other.takenOver = new Set([...inCommand].map((key) => key.replace(/msgq|rabbitmq/, "elsewhere")));
  other.id = old.id;
  other.outputs = old.outputs;
  await other.delete();
  expect(await isGone(subject, world, old)).toBe(true);
});
