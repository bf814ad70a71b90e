import { NOT_FOUND, scene } from "./secrets-scene";

const DATA = "kv/data/teams/app";
const METADATA = "kv/metadata/teams/app";
const OPTIONS = (cas: number) => ({ options: { cas } });
const REFUSED = {
  status: 400,
  body: { errors: ["check-and-set parameter did not match the current version"] },
};

describe("KV secrets, version 2", () => {
  test("get a version with each write, and are read with its metadata", async () => {
    expect((await scene.write(DATA, { data: { a: 1 } })).body.data).toMatchObject({ version: 1 });
    await scene.write(DATA, { data: { a: [2] } });
    expect((await scene.read(DATA)).body.data).toMatchObject({
      data: { a: [2] },
      metadata: { version: 2, destroyed: false, deletion_time: "", custom_metadata: null },
    });
    expect((await scene.send("GET", `${DATA}?version=1`)).body.data).toMatchObject({ data: { a: 1 } });
  });

  test("are written only if the check-and-set parameter is the current version: 0 if there is none", async () => {
    expect(await scene.write(DATA, { data: {}, ...OPTIONS(1) })).toMatchObject(REFUSED);
    await scene.write(DATA, { data: {}, ...OPTIONS(0) });
    expect(await scene.write(DATA, { data: {}, ...OPTIONS(0) })).toMatchObject(REFUSED);
    expect((await scene.write(DATA, { data: {}, ...OPTIONS(1) })).body.data).toMatchObject({ version: 2 });
    expect(await scene.write(DATA, OPTIONS(2))).toMatchObject({ status: 400 });
  });

  test("that are deleted return a 404 with the metadata, and keep their version", async () => {
    await scene.write(DATA, { data: { a: 1 } });
    expect((await scene.send("DELETE", DATA)).status).toBe(204);
    expect(await scene.read(DATA)).toMatchObject({
      status: 404,
      body: { data: { data: null, metadata: { version: 1 } } },
    });
    expect(await scene.write(DATA, { data: {}, ...OPTIONS(0) })).toMatchObject(REFUSED);
    await scene.write("kv/undelete/teams/app", { versions: [1] });
    expect((await scene.read(DATA)).body.data).toMatchObject({ data: { a: 1 }, metadata: { version: 1 } });
    await scene.write("kv/delete/teams/app", { versions: [1] });
    expect((await scene.write(DATA, { data: {}, ...OPTIONS(1) })).body.data).toMatchObject({ version: 2 });
  });

  test("whose latest version is destroyed return a 404 with the metadata", async () => {
    await scene.write(DATA, { data: { a: 1 } });
    await scene.write("kv/destroy/teams/app", { versions: [1] });
    expect(await scene.read(DATA)).toMatchObject({
      status: 404,
      body: { data: { data: null, metadata: { destroyed: true } } },
    });
  });

  test("are listed by folder, and deleted with all versions by their metadata", async () => {
    expect(await scene.send("LIST", "kv/metadata")).toMatchObject(NOT_FOUND);
    await scene.write(DATA, { data: {} });
    await scene.write("kv/data/app", { data: {} });
    expect((await scene.send("LIST", "kv/metadata")).body.data).toEqual({ keys: ["app", "teams/"] });
    expect((await scene.send("LIST", "kv/metadata/teams")).body.data).toEqual({ keys: ["app"] });
    expect((await scene.send("DELETE", METADATA)).status).toBe(204);
    expect(await scene.read(DATA)).toMatchObject(NOT_FOUND);
    expect(await scene.read(METADATA)).toMatchObject(NOT_FOUND);
  });

  test("have settings, which a write of the metadata changes", async () => {
    await scene.write(METADATA, {
      cas_required: true,
      max_versions: 1,
      custom_metadata: { owner: "web" },
    });
    expect(await scene.write(DATA, { data: {} })).toMatchObject({
      status: 400,
      body: { errors: ["check-and-set parameter required for this call"] },
    });
    await scene.write(DATA, { data: { a: 1 }, ...OPTIONS(0) });
    await scene.write(DATA, { data: { a: 2 }, ...OPTIONS(1) });
    expect((await scene.read(METADATA)).body.data).toMatchObject({
      current_version: 2,
      oldest_version: 2,
      versions: { 2: { destroyed: false } },
    });
    expect((await scene.read(DATA)).body.data).toMatchObject({
      metadata: { custom_metadata: { owner: "web" } },
    });
    expect(await scene.send("GET", `${DATA}?version=1`)).toMatchObject(NOT_FOUND);
  });

  test("exist in an engine of version 1 once it is tuned to version 2", async () => {
    await scene.write("sys/mounts/old", { type: "kv", options: { version: "1" } });
    expect((await scene.write("old/data/app", { data: {} })).status).toBe(404);
    await scene.write("sys/mounts/old/tune", { options: { version: "2" } });
    expect((await scene.write("old/data/app", { data: {} })).status).toBe(200);
  });
});
