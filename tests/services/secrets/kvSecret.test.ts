import type { Json } from "../../../provider/core/value/json";
import kvSecret from "../../../provider/services/secrets/kvSecret";
import { expectNoChanges } from "../expectations";
import { actBefore } from "../interference";
import { scene } from "./scene";

const DATA = "kv/data/app";
const program = { mount: "kv", path: "app", data: { password: "hush", port: 5432 } };
const changed = { ...program, data: { password: "hush", port: 5433 } };

const data = async ({ readServer }: Awaited<ReturnType<typeof scene>>) => (await readServer(DATA)).data;

describe("KV secret", () => {
  test("is created only if it is absent: the server checks that with the write", async () => {
    const at = await scene(kvSecret);
    actBefore(at.world, /^POST/, () => at.theirs(DATA, { data: { password: "theirs" } }));
    await expect(at.resource.create(program)).rejects.toThrow('KV secret "kv/app" already exists');
    expect(at.written()).toEqual([{ data: program.data, options: { cas: 0 } }]);
    expect(await data(at)).toEqual({ password: "theirs" });
  });

  test("is updated only if it is as just read: the server checks that with the write", async () => {
    const at = await scene(kvSecret);
    await at.resource.create(program);
    actBefore(at.world, /^POST/, () => at.theirs(DATA, { data: { password: "theirs" } }));
    await expect(at.resource.update(changed)).rejects.toThrow(/conflict: KV secret "kv\/app" was changed/);
    expect(at.written().at(-1)).toEqual({ data: changed.data, options: { cas: 1 } });
    expect(await data(at)).toEqual({ password: "theirs" });
  });

  test("is created with the number of the deleted version if its latest version is deleted", async () => {
    const at = await scene(kvSecret);
    await at.theirs(DATA, { data: { password: "theirs" } });
    await at.deleteAsOther(DATA);
    await at.resource.create(program);
    expect(at.written().map((body) => (body as { options: unknown }).options)).toEqual([
      { cas: 0 },
      { cas: 1 },
    ]);
    expect(at.resource.outputs).toMatchObject({ data: program.data, version: 2 });
    await expectNoChanges(at.resource, program);
  });

  test("is not created if someone undeletes it while the create looks for its deleted version", async () => {
    const at = await scene(kvSecret);
    await at.theirs(DATA, { data: { password: "theirs" } });
    await at.deleteAsOther(DATA);
    actBefore(at.world, /^POST/, () => at.theirs("kv/undelete/app", { versions: [1] }));
    await expect(at.resource.create(program)).rejects.toThrow("already exists");
    expect(await data(at)).toEqual({ password: "theirs" });
  });

  test("is deleted if its latest version is deleted, and created again by the next up", async () => {
    const at = await scene(kvSecret);
    await at.resource.create(program);
    await at.deleteAsOther(DATA);
    expect(await at.resource.refresh()).toBe(false);
    await at.resource.create(program);
    expect(at.resource.outputs).toMatchObject({ version: 2 });
  });

  test("is not taken for deleted after a 404 without metadata", async () => {
    const { resource, world } = await scene(kvSecret);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 404,
      text: '{"data":{}}',
      json: { data: {} },
    });
    await expect(resource.refresh()).rejects.toThrow("404");
  });

  test("suggests an engine of version 2 after a response of version 1, which stores the request elsewhere", async () => {
    const { resource, world } = await scene(kvSecret);
    // Version 1 returns the request as the content of the secret `data/app`.
    const stored = { data: { data: program.data, options: { cas: 0 } } };
    let isWritten = false;
    world.transformResponse = ({ method }, answer) => {
      isWritten ||= method === "POST";
      if (method === "POST") return { ...answer, status: 204, text: "", json: undefined };
      return isWritten ? { ...answer, status: 200, text: JSON.stringify(stored), json: stored } : answer;
    };
    await expect(resource.create(program)).rejects.toThrow(
      "perhaps version 1 of KV, which stored the request as the secret data/app",
    );
  });

  test("keeps its versions after a delete, and the delete says so", async () => {
    const { resource, readServer, world } = await scene(kvSecret);
    await resource.create(program);
    await resource.delete();
    expect(world.logged.join("\n")).toContain("the server keeps the versions and the settings of the secret");
    expect(await readServer("kv/metadata/app")).toMatchObject({ current_version: 1 });
  });

  test("keeps the settings of the secret, such as cas_required, at an update", async () => {
    const { resource, readServer, theirs } = await scene(kvSecret);
    await resource.create(program);
    const settings = { cas_required: true, max_versions: 3, custom_metadata: { owner: "web" } };
    await theirs("kv/metadata/app", settings);
    await resource.update(changed);
    expect(await readServer("kv/metadata/app")).toMatchObject({ ...settings, current_version: 2 });
  });

  test("shows a key that someone else added, and removes it at the next up", async () => {
    const at = await scene(kvSecret);
    await at.resource.create(program);
    await at.theirs(DATA, { data: { ...program.data, theirs: "added" } });
    await at.resource.refresh();
    expect(at.resource.preview(program).changes).toMatchObject([
      { path: ["data", "theirs"], kind: "delete" },
    ]);
    await at.resource.up(program);
    expect(await data(at)).toEqual(program.data);
  });

  test("distinguishes a false, empty or zero value from an absent one", async () => {
    const at = await scene(kvSecret);
    const empty = { on: false, text: "", number: 0, list: [], map: {} };
    await at.resource.create({ ...program, data: empty });
    expect(await data(at)).toEqual(empty);
    for (const key of Object.keys(empty)) {
      const { [key]: _, ...rest } = empty as Readonly<Record<string, Json>>;
      expect([key, at.resource.preview({ ...program, data: rest }).changes.length]).toEqual([key, 1]);
    }
  });

  test("has problems in the preview for a path with a slash at its end", async () => {
    const { problems } = await scene(kvSecret);
    expect(problems({ ...program, path: "app/" })).toEqual([expect.stringContaining("must be a path")]);
  });
});
