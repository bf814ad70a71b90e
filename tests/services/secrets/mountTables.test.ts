import { type ListedObject, listObjects, questionOf } from "../../../provider/core/functions/objects";
import authMethod from "../../../provider/services/secrets/authMethod";
import mount from "../../../provider/services/secrets/mount";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { expectNoChanges } from "../expectations";
import { scene } from "./scene";

const TABLES = [
  { definition: mount, table: "sys/mounts", prefix: "", type: "rabbitmq", noun: "secrets engine" },
  { definition: authMethod, table: "sys/auth", prefix: "auth/", type: "userpass", noun: "auth method" },
] as const;

describe.each(TABLES)("$noun", ({ definition, table, prefix, type, noun }) => {
  const program = { path: "teams/web", type };
  const at = `${table}/teams/web`;

  test("is created with its settings in config, and has its accessor as ID", async () => {
    const { resource, readServer, written } = await scene(definition);
    await resource.create({
      ...program,
      description: "web",
      defaultLeaseTtl: "1h",
      maxLeaseTtl: 7200,
      local: true,
    });
    expect(written()).toEqual([
      { type, description: "web", local: true, config: { default_lease_ttl: 3600, max_lease_ttl: 7200 } },
    ]);
    const { accessor } = await readServer(at);
    expect(resource.id).toBe(accessor);
    expect(resource.outputs).toMatchObject({ accessor, path: "teams/web" });
    await expectNoChanges(resource, {
      ...program,
      description: "web",
      defaultLeaseTtl: "1h",
      maxLeaseTtl: 7200,
      local: true,
    });
  });

  test("is updated by its tune endpoint with the changed settings only", async () => {
    const { resource, readServer, world, written } = await scene(definition);
    await resource.create({ ...program, description: "web", listingVisibility: "unauth" });
    await resource.update({ ...program, defaultLeaseTtl: "2h", passthroughRequestHeaders: ["X-Team"] });
    expect(world.requests.at(-2)).toMatchObject({ path: `/v1/${at}/tune` });
    expect(written().at(-1)).toEqual({
      description: "",
      default_lease_ttl: 7200,
      listing_visibility: "",
      passthrough_request_headers: ["X-Team"],
    });
    expect((await readServer(at)).config).toMatchObject({ default_lease_ttl: 7200 });
  });

  test("moves in place if its path changes: the preview says so, and the leases below it are revoked", async () => {
    const { resource, readServer, world, written } = await scene(definition);
    await resource.create(program);
    const { id } = resource;
    const moved = { ...program, path: "teams/shop" };
    expect(resource.preview(moved)).toMatchObject({
      changes: [{ path: ["path"] }],
      notes: [
        "the mount moves from teams/web to teams/shop: its configuration and its static roles survive, and the server revokes every lease below teams/web",
      ],
    });
    if (world.stub instanceof SecretsService) world.stub.configure({ remountMs: 300 });
    world.onSleep = (ms) => {
      world.now += ms;
    };
    await resource.update(moved);
    expect(written().at(-1)).toEqual({ from: `${prefix}teams/web`, to: `${prefix}teams/shop` });
    expect((await readServer(`${table}/teams/shop`)).accessor).toBe(id);
    expect(resource.outputs).toMatchObject({ path: "teams/shop", accessor: id });
    await expectNoChanges(resource, moved);
  });

  test("is drifted if someone else moved it, and moves back", async () => {
    const { resource, readServer, theirs, written } = await scene(definition);
    await resource.create(program);
    await theirs("sys/remount", { from: `${prefix}teams/web`, to: `${prefix}elsewhere` });
    await resource.refresh();
    expect(resource.outputs).toMatchObject({ path: "elsewhere" });
    await resource.update(program);
    expect(written().at(-1)).toEqual({ from: `${prefix}elsewhere`, to: `${prefix}teams/web` });
    expect((await readServer(at)).accessor).toBe(resource.id);
  });

  test("is not moved if someone else has moved it since the last read", async () => {
    const { resource, theirs, written } = await scene(definition);
    await resource.create(program);
    await theirs("sys/remount", { from: `${prefix}teams/web`, to: `${prefix}elsewhere` });
    await expect(resource.update({ ...program, path: "teams/shop" })).rejects.toThrow(/conflict/);
    expect(written()).toHaveLength(1);
  });

  test("is not deleted if someone else has moved it since the last read", async () => {
    const { resource, readServer, theirs } = await scene(definition);
    await resource.create(program);
    await theirs("sys/remount", { from: `${prefix}teams/web`, to: `${prefix}elsewhere` });
    await expect(resource.delete()).rejects.toThrow(/conflict/);
    expect((await readServer(`${table}/elsewhere`)).accessor).toBe(resource.id);
  });

  test("is another mount after someone else disabled and enabled it: the old one no longer exists", async () => {
    const { resource, deleteAsOther, theirs } = await scene(definition);
    await resource.create(program);
    await deleteAsOther(at);
    await theirs(at, { type });
    expect(await resource.refresh()).toBe(false);
  });

  test("is not created at a path that is in use", async () => {
    const { resource, theirs, written } = await scene(definition);
    await theirs(at, { type });
    await expect(resource.create(program)).rejects.toThrow(/already exists/);
    await expect(resource.create({ ...program, path: "teams" })).rejects.toThrow(
      "path is already in use at teams/web/",
    );
    expect(written()).toHaveLength(1);
  });

  test("is read by its accessor and by its path", async () => {
    const { resource, readServer, theirs } = await scene(definition);
    await theirs(at, { type, description: "web" });
    const { accessor } = await readServer(at);
    for (const id of [String(accessor), encodeURIComponent("teams/web")]) {
      expect(await resource.get(id)).toMatchObject({ path: "teams/web", type, description: "web" });
      expect([resource.id, resource.outputs.accessor]).toEqual([accessor, accessor]);
    }
    await expect(resource.get("nothing")).rejects.toThrow("does not exist");
  });

  test("is unknown if a response is not the list of the table", async () => {
    const { resource, world } = await scene(definition);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, text: '{"data":{}}', json: { data: {} } });
    await expect(resource.refresh()).rejects.toThrow("an object other than the requested");
  });

  test("is not taken for deleted after a 404, because the list of mounts always exists", async () => {
    const { resource, world } = await scene(definition);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 404,
      text: '{"errors":[]}',
      json: { errors: [] },
    });
    await expect(resource.refresh()).rejects.toThrow("404");
  });

  test("fails with the migration's ID if the move fails or does not end in time", async () => {
    const { resource, world } = await scene(definition);
    await resource.create(program);
    world.transformResponse = ({ path }, answer) => {
      if (!path.includes("/remount/status/")) return answer;
      const json = { data: { migration_info: { status: "failure" } } };
      return { ...answer, json, text: JSON.stringify(json) };
    };
    await expect(resource.update({ ...program, path: "teams/shop" })).rejects.toThrow(
      new RegExp(`the server failed to move the ${noun} \\(migration [0-9a-f-]+\\)`),
    );
  });

  test("is listed with its path, without the mounts that every namespace has", async () => {
    const { world, theirs } = await scene(definition);
    await theirs(at, { type });
    const objects: ListedObject[] = [];
    const question = questionOf(definition);
    if (question === undefined) throw new Error("no list");
    const context = { connection: world.connection, log: () => undefined };
    for await (const object of listObjects(question, {}, { size: 20 }, context)) objects.push(object);
    const others = prefix === "" ? ["cloud", "kv", "ldap", "msgq"] : ["approle", "userpass"];
    expect(objects.map(({ name }) => name).sort()).toEqual([...others, "teams/web"].sort());
  });

  test("takes an empty TTL for the server's default", async () => {
    const { resource, readServer } = await scene(definition);
    await resource.create({ ...program, defaultLeaseTtl: "1h" });
    await resource.update({ ...program, defaultLeaseTtl: "" });
    expect((await readServer(at)).config).toMatchObject({ default_lease_ttl: 0 });
    await expectNoChanges(resource, { ...program, defaultLeaseTtl: "" });
  });

  test("rejects a path of the server's own in the preview", async () => {
    const { problems } = await scene(definition);
    for (const path of prefix === "" ? ["sys", "identity/web", "auth/web"] : ["token"])
      expect(problems({ ...program, path })).toEqual([
        expect.stringContaining("which the server keeps for itself"),
      ]);
  });

  test("rejects a default TTL above the maximum TTL in the preview", async () => {
    const { problems } = await scene(definition);
    expect(problems({ ...program, defaultLeaseTtl: "3h", maxLeaseTtl: "1h" })).toEqual([
      expect.stringContaining("must not be longer than maxLeaseTtl"),
    ]);
  });
});

describe("kv engine", () => {
  const program = { path: "old", type: "kv", options: { version: "1" } };

  test("is upgraded to version 2 in place, and the server refuses the way back", async () => {
    const { resource, readServer, written } = await scene(mount);
    await resource.create(program);
    await resource.update({ ...program, options: { version: "2" } });
    expect(written().at(-1)).toEqual({ options: { version: "2" } });
    expect(await readServer("sys/mounts/old")).toMatchObject({ options: { version: "2" } });
    await expect(resource.update(program)).rejects.toThrow("cannot downgrade mount from version 2");
  });

  test("is the only engine with a version: the preview and the server reject others", async () => {
    const { resource, problems } = await scene(mount);
    const wrong = { path: "keys", type: "transit", options: { version: "2" } };
    expect(problems(wrong)).toEqual([expect.stringContaining("must not have a version")]);
    await expect(resource.create(wrong)).rejects.toThrow(
      'secrets engine "transit" does not allow setting a version',
    );
    expect(problems({ ...wrong, options: {} })).toEqual([]);
  });

  test("is rejected in the preview with the version in its type", async () => {
    const { problems } = await scene(mount);
    expect(problems({ path: "kv", type: "kv-v2" })).toEqual([
      expect.stringContaining("must be kv, with the version"),
    ]);
  });
});
