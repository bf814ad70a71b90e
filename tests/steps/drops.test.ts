import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { Fate } from "./world";

function subjectOf(token: string) {
  const found = subjects.find(([name]) => name === token)?.[1];
  if (found === undefined) throw new Error(`there is no ${token}`);
  return found;
}

/** A lease of credentials that a program sets, in a service of its own. */
async function lease(program: Values) {
  const subject = subjectOf("secrets:QueueLease");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  const held = async () => (await stranger(resource)).record.seen;
  return { world, resource, held };
}

/** The object as somebody else finds it. */
async function stranger({ world, definition, id }: Resource): Promise<Resource> {
  const other = new Resource(world.another(), definition);
  await other.get(id);
  return other;
}

describe("an update that only drops values, and is not carried out", () => {
  test("is sent again where its connection broke", async () => {
    const { world, resource, held } = await lease({ ttl: "1h", maxTtl: "24h" });
    let isLost = false;
    world.fate = ({ nature }): Fate => {
      if (nature === "read" || isLost) return "passes";
      isLost = true;
      return "request lost";
    };
    await resource.up({});
    expect(isLost).toBe(true);
    expect(await held()).toMatchObject({ ttl: 0, maxTtl: 0 });
  });

  test("is open where it may still come, and the next up sends it", async () => {
    const { world, resource, held } = await lease({ ttl: "1h", maxTtl: "24h" });
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
    world.slept = (milliseconds) => {
      world.now += milliseconds;
    };
    await expect(resource.up({})).rejects.toThrow("it may still be carried out");
    world.fate = () => "passes";
    await resource.refresh();
    expect(resource.preview({}).changes).not.toEqual([]);
    await resource.up({});
    expect(await held()).toMatchObject({ ttl: 0, maxTtl: 0 });
    expect(resource.preview({}).changes).toEqual([]);
  });
});

test("what is perhaps made shows in the preview each property that its program writes", async () => {
  const subject = subjectOf("secrets:QueueRole");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const program = { name: "app", tags: "monitoring" };
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  world.slept = (milliseconds) => {
    world.now += milliseconds;
  };
  await expect(resource.create(program)).rejects.toThrow("it may still be carried out");
  expect(resource.preview(program).changes.map(({ path }) => path[0])).toContain("tags");
});

test("what is perhaps made is made by the next up, though all that its program writes is its identity", async () => {
  const subject = subjectOf("workspaces:RegistryProvider");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const program = { registryName: "private", name: "app", namespace: "acme" };
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  world.slept = (milliseconds) => {
    world.now += milliseconds;
  };
  await expect(resource.create(program)).rejects.toThrow("it may still be carried out");
  world.fate = () => "passes";
  await resource.refresh();
  expect(resource.preview(program).changes).not.toEqual([]);
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect((await stranger(resource)).outputs).toMatchObject(program);
});
