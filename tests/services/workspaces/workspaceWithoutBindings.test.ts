import { callFunction } from "../../../provider/core/functions/call";
import { PartialError } from "../../../provider/core/state/errors";
import { getWorkspace } from "../../../provider/services/workspaces/workspaceFunctions";
import { Resource } from "../../steps/resource";
import { made, scene } from "./workspace-scene";

const plain = { name: "app", description: "one" };
const tagged = { ...plain, tagBindings: { env: "live" } };
const older = { switches: { tagBindingsExist: false } };
const CLEAR =
  /tagBindings: this server does not offer it: it answers 404 for (?:GET|PATCH) \/api\/v2\/workspaces\/ws-\S+\/tag-bindings.*Next: drop tagBindings/;

describe("on a server without key-value tags, a workspace whose program writes none", () => {
  test("is created, updated, refreshed, read by its id, adopted and deleted like any other", async () => {
    const { world, resource } = scene(older);
    await resource.create(plain);
    await resource.up({ ...plain, description: "two" });
    expect(await resource.refresh()).toBe(true);
    const read = new Resource(world, resource.definition);
    for (const id of [resource.id, "acme/app"]) {
      await read.get(id);
      expect(read.inputs).toMatchObject({ name: "app", description: "two" });
      expect(read.inputs).not.toHaveProperty("tagBindings");
    }
    expect(read.preview(read.inputs).changes).toEqual([]);
    const adopting = { ...plain, adopt: true };
    await new Resource(world, resource.definition).create(adopting);
    await resource.refresh();
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
    expect(world.logged.join()).not.toContain("tagBindings");
  });

  test("is answered by getWorkspace, without them", async () => {
    const { world, resource } = scene(older);
    await resource.create(plain);
    const caller = { connection: world.connection, log: () => undefined };
    const { result } = await callFunction(getWorkspace, { workspaceId: resource.id }, caller);
    expect(result).toMatchObject({ name: "app" });
    expect(result).not.toHaveProperty("tagBindings");
  });

  test("may say so: none is what there is", async () => {
    const { resource } = scene(older);
    const none = { ...plain, tagBindings: {} };
    await resource.create(none);
    await resource.refresh();
    expect(resource.preview(none).changes).toEqual([]);
    await resource.delete();
  });

  test("may begin to say so: that there are none to look at is no failure", async () => {
    const { resource } = scene(older);
    await resource.create(plain);
    await resource.up({ ...plain, tagBindings: {} });
    expect(resource.preview({ ...plain, tagBindings: {} }).changes).toEqual([]);
  });
});

describe("on a server without key-value tags, a workspace whose program writes some", () => {
  test("is half made, with a clear error in every up, and never told as done", async () => {
    const { resource } = scene(older);
    await expect(resource.create(tagged)).rejects.toThrow(CLEAR);
    expect(resource.id).toMatch(/^ws-/);
    for (let up = 0; up < 2; up++) {
      expect(resource.preview(tagged).changes).toMatchObject([{ path: ["tagBindings", "env"] }]);
      const failure = resource.update(tagged);
      await expect(failure).rejects.toThrow(CLEAR);
      await expect(failure).rejects.toBeInstanceOf(PartialError);
    }
    expect(await resource.refresh()).toBe(true);
  });

  test("is freed by dropping them, with or without a refresh", async () => {
    for (const refreshes of [true, false]) {
      const { resource } = scene(older);
      await resource.create(tagged).catch(() => undefined);
      if (refreshes) await resource.refresh();
      await resource.update(plain);
      expect(resource.preview(plain).changes).toEqual([]);
      await resource.refresh();
      expect(resource.preview(plain).changes).toEqual([]);
      await resource.up({ ...plain, description: "two" });
      await resource.delete();
    }
  });

  test("can be destroyed as it is", async () => {
    const { resource } = scene(older);
    await resource.create(tagged).catch(() => undefined);
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
  });

  test("begins to with a clear error, which writes nothing else away", async () => {
    const { resource } = scene(older);
    await resource.create(plain);
    await expect(resource.up({ ...tagged, description: "two" })).rejects.toThrow(CLEAR);
    expect(resource.preview({ ...plain, description: "two" }).changes).toEqual([]);
  });
});

test("a server that no longer offers key-value tags takes none with it: dropping them, or the workspace, works", async () => {
  const { world, resource } = await made(tagged);
  world.stub.configure({ tagBindingsExist: false });
  expect(await resource.refresh()).toBe(true);
  expect(world.logged.join("\n")).toMatch(CLEAR);
  await resource.up(plain);
  expect(resource.preview(plain).changes).toEqual([]);
  await resource.delete();
});
