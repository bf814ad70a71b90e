import type { Values } from "../../../provider/core/language/object";
import entity from "../../../provider/services/secrets/entity";
import namespace from "../../../provider/services/secrets/namespace";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { scene } from "./scene";

const PATH = "sys/namespaces/teams";
const DAY = 86_400_000;

/** The deletion of a namespace takes this time, which passes while the provider waits. */
function inTime(world: World, namespaceDeletionMs: number): void {
  world.stub.configure({ namespaceDeletionMs });
  world.onSleep = (milliseconds) => {
    world.now += milliseconds;
  };
}

describe("namespace", () => {
  test("has the path, the ID and the UUID that the server assigns, and contains the objects of its path", async () => {
    const { resource, world } = await scene(namespace);
    await resource.create({ name: "teams" });
    expect(resource.id).toBe("teams");
    expect(resource.outputs).toMatchObject({
      name: "teams",
      path: "teams",
      namespaceId: expect.any(String),
      uuid: expect.any(String),
    });
    const child = new Resource(world, namespace);
    await child.create({ namespace: "teams", name: "web" });
    expect(child.id).toBe("teams@web");
    expect(child.outputs).toMatchObject({ path: "teams/web" });
    const inside = new Resource(world, entity);
    await inside.create({ namespace: "teams/web", name: "app" });
    expect(inside.outputs).toMatchObject({ namespace: "teams/web", name: "app" });
  });

  test("an update removes keys that the program or someone else set, and keeps metadata that no one manages", async () => {
    const { resource, theirs, readServer, world } = await scene(namespace);
    await resource.create({ name: "teams", customMetadata: { owner: "web", tier: "gold" } });
    await theirs(PATH, { custom_metadata: { owner: "web", tier: "gold", other: "theirs" } });
    await resource.refresh();
    await resource.up({ name: "teams", customMetadata: { owner: "ops" } });
    expect(await readServer(PATH)).toMatchObject({ custom_metadata: { owner: "ops" } });
    const patched = world.requests.filter(({ method }) => method === "PATCH");
    expect(patched).toEqual([
      expect.objectContaining({
        contentType: "application/merge-patch+json",
        body: { custom_metadata: { owner: "ops", tier: null, other: null } },
      }),
    ]);
    await resource.up({ name: "teams" });
    expect(await readServer(PATH)).toMatchObject({ custom_metadata: {} });
    await theirs(PATH, { custom_metadata: { other: "theirs" } });
    await resource.refresh();
    expect(resource.preview({ name: "teams" }).changes).toEqual([]);
  });

  test("an update does not create a namespace that someone else deleted", async () => {
    const { resource, world, readServer } = await scene(namespace);
    await resource.create({ name: "teams" });
    await world.send("DELETE", `/v1/${PATH}`, undefined, { "x-secrets-token": "root" });
    await expect(resource.up({ name: "teams", customMetadata: { owner: "web" } })).rejects.toThrow();
    expect(await readServer(PATH)).toEqual({});
  });

  test("a create does not replace the metadata of an existing namespace", async () => {
    const { resource, theirs, readServer } = await scene(namespace);
    await theirs(PATH, { custom_metadata: { owner: "theirs" } });
    await expect(resource.create({ name: "teams", customMetadata: {} })).rejects.toThrow("already exists");
    expect(await readServer(PATH)).toMatchObject({ custom_metadata: { owner: "theirs" } });
  });

  test("a delete ends once the server has deleted the contents", async () => {
    const { resource, world, readServer } = await scene(namespace);
    inTime(world, 500);
    await resource.create({ name: "teams" });
    await resource.delete();
    expect(await readServer(PATH)).toEqual({});
    await resource.create({ name: "teams" });
  });

  test("a delete does not wait for a namespace of the same name that someone else creates meanwhile", async () => {
    const { resource, world, theirs, readServer } = await scene(namespace);
    await resource.create({ name: "teams" });
    inTime(world, 500);
    const { onSleep: slept } = world;
    world.onSleep = async (milliseconds) => {
      world.now += 500;
      await slept(milliseconds);
      await theirs(PATH, { custom_metadata: { owner: "theirs" } });
    };
    await resource.delete();
    expect(await readServer(PATH)).toMatchObject({ custom_metadata: { owner: "theirs" }, tainted: false });
  });

  test("a delete that does not end in time fails, and the next delete continues", async () => {
    const { resource, world, readServer } = await scene(namespace);
    await resource.create({ name: "teams" });
    inTime(world, DAY);
    await expect(resource.delete()).rejects.toThrow("is still deleting the contents of the namespace");
    expect(await readServer(PATH)).toMatchObject({ tainted: true });
    world.now += DAY;
    await resource.delete();
    expect(await readServer(PATH)).toEqual({});
  });

  test("a delete is rejected while the namespace contains child namespaces, with the remedy", async () => {
    const { resource, world } = await scene(namespace);
    await resource.create({ name: "teams" });
    const headers = {
      "x-secrets-token": "root",
      "x-secrets-namespace": "teams",
      "content-type": "application/json",
    };
    await world.send("POST", "/v1/sys/namespaces/web", {}, headers);
    const failure = await resource.delete().catch((error: unknown) => error);
    expect(String(failure)).toContain("containing child namespaces");
    expect(String(failure)).toContain("use the name output of this namespace in their namespace");
  });

  test.each<[name: string]>([["root"], ["cubbyhole"], ["a/b"], ["a b"], ["a*"], [".."]])(
    "the name %j has a problem in the preview",
    async (name) => {
      const { problems } = await scene(namespace);
      expect(problems({ name } satisfies Values)).toEqual([expect.stringContaining("must not")]);
    },
  );
});
