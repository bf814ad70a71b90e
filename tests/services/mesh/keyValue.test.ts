import keyValue from "../../../provider/services/mesh/keyValue";
import { changedPaths, expectNoChanges, problemsOf } from "../expectations";
import { scene } from "./objectScene";

const program = { key: "apps/web", value: "on" };
const AT = "/v1/kv/apps/web";
const set = (Value: string, Key = "apps/web") => [{ KV: { Verb: "set", Key, Value } }];

describe("Consul key", () => {
  test("is created only if it does not exist, also if it appears after the read", async () => {
    const { world, resource, readServer, theirs } = await scene(keyValue);
    world.fate = async ({ method }): Promise<"passes"> => {
      if (method === "PUT") await theirs("/v1/txn", set("dGhlaXJz"));
      return "passes";
    };
    await expect(resource.create(program)).rejects.toThrow(/Consul key .*already exists/);
    expect(await readServer(AT)).toMatchObject([{ Value: "dGhlaXJz" }]);
  });

  test("is updated and deleted only at the index that was last read", async () => {
    const { resource, readServer, theirs } = await scene(keyValue);
    await resource.create(program);
    await theirs("/v1/txn", set("dGhlaXJz"));
    await expect(resource.update({ ...program, value: "off" })).rejects.toThrow(/conflict/);
    await expect(resource.delete()).rejects.toThrow(/conflict/);
    expect(await readServer(AT)).toMatchObject([{ Value: "dGhlaXJz" }]);
  });

  test("keeps the lock of a session in an update, which the lock does not disturb", async () => {
    const { resource, readServer, theirs } = await scene(keyValue);
    await resource.create({ ...program, value: '"on"' });
    await theirs(`${AT}?acquire=session-1`, "on");
    await resource.up({ ...program, value: "off" });
    expect(await readServer(AT)).toMatchObject([{ Value: "b2Zm", Session: "session-1", LockIndex: 1 }]);
  });

  test("keeps the flags that someone else stored, if the program does not write flags", async () => {
    const { resource, readServer, theirs } = await scene(keyValue);
    await resource.create(program);
    const [{ KV }] = set("b24=") as [{ KV: object }];
    await theirs("/v1/txn", [{ KV: { ...KV, Flags: 7 } }]);
    await resource.refresh();
    await resource.up({ ...program, value: "off" });
    expect(await readServer(AT)).toMatchObject([{ Value: "b2Zm", Flags: 7 }]);
    await resource.up({ ...program, value: "off", flags: 3 });
    await resource.up({ ...program, value: "off" });
    expect(await readServer(AT)).toMatchObject([{ Flags: 0 }]);
  });

  test("has the same value as text and as Base64, and shows bytes that are not text", async () => {
    const { resource, theirs } = await scene(keyValue);
    await resource.create(program);
    expect(changedPaths(resource, { ...program, value: { base64: "b24=" } })).toEqual([]);
    await expectNoChanges(resource, { ...program, value: { base64: "b24=" } });
    await theirs("/v1/txn", set("/w=="));
    await resource.refresh();
    expect(resource.outputs.value).toEqual({ base64: "/w==" });
    await resource.up({ ...program, value: "" });
    await expectNoChanges(resource, { ...program, value: "" });
  });

  test("has a name that Consul can read back", async () => {
    const { resource } = await scene(keyValue);
    for (const key of ["/a", "a/", "a//b", "a/../b", " a", "a%20b"])
      expect(problemsOf(resource, { ...program, key })).toHaveLength(1);
    for (const key of ["a", "a/b c/d", "a.b/ü"])
      expect(problemsOf(resource, { ...program, key })).toEqual([]);
  });

  test("is rejected in a namespace by the community edition, which would ignore the namespace", async () => {
    const { resource, world } = await scene(keyValue, { dialect: "real", edition: "community" });
    await expect(resource.create({ ...program, namespace: "team" })).rejects.toThrow(/Community Edition/);
    expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("is only gone if Consul itself says so", async () => {
    const { resource, world, deleteAsOther } = await scene(keyValue);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 404,
      headers: {},
      text: "",
      json: undefined,
    });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(AT);
    expect(await resource.refresh()).toBe(false);
  });

  test("is listed by its key", async () => {
    const { resource, listed, theirs } = await scene(keyValue);
    await resource.create(program);
    await theirs("/v1/txn", set("b24=", "folder/"));
    expect(await listed()).toEqual([
      expect.objectContaining({ name: "apps/web" }),
      expect.objectContaining({ name: "folder/", apart: expect.stringContaining("slash") }),
    ]);
  });
});
