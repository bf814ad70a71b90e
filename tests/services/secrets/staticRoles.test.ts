import type { AnyDefinition } from "../../../provider/core/language/resource";
import cloudStaticRole from "../../../provider/services/secrets/cloudStaticRole";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import directoryStaticRole from "../../../provider/services/secrets/directoryStaticRole";
import { Resource } from "../../steps/resource";
import { expectNoChanges, notesOfCreate } from "../expectations";
import { DIRECTORY, scene } from "./scene";

describe("AWS static role (A5)", () => {
  const role = { name: "app", username: "svc-app", rotationPeriod: "24h" };
  const PATH = "cloud/static-roles/app";

  test("sends rotationPeriod only if its value changed, because the write restarts the rotation clock", async () => {
    const { resource, written, world, theirs } = await scene(cloudStaticRole);
    await resource.create(role);
    for (const day of ["1440m", 86_400, "86400"]) await resource.up({ ...role, rotationPeriod: day });
    expect(written()).toEqual([{ username: "svc-app", rotation_period: 86_400 }]);
    const { notes } = resource.preview({ ...role, rotationPeriod: "12h" });
    expect(notes).toEqual([expect.stringContaining("the update restarts the rotation period")]);
    await resource.up({ ...role, rotationPeriod: "12h" });
    expect(written().at(-1)).toEqual({ username: "svc-app", rotation_period: 43_200 });
    await theirs(PATH, { username: "svc-app", rotation_period: 60 });
    await resource.refresh();
    expect(resource.preview({ ...role, rotationPeriod: "12h" }).notes).toHaveLength(1);
    expect(world.logged.join("\n")).toContain("rotationPeriod");
  });

  test("rejects a rotationPeriod under one minute", async () => {
    const { problems } = await scene(cloudStaticRole);
    expect(problems({ ...role, rotationPeriod: "59s" })).toEqual([
      'rotationPeriod: given "59s": must be at least 60 seconds',
    ]);
    expect(problems({ ...role, rotationPeriod: "1m" })).toEqual([]);
  });

  test("is replaced if username changes, and the old role is deleted first", async () => {
    const { resource } = await scene(cloudStaticRole);
    await resource.create(role);
    const { changes, deleteFirst } = resource.preview({ ...role, username: "svc-other" });
    expect(changes).toMatchObject([{ path: ["username"], replaces: true }]);
    expect(deleteFirst).toBe(true);
  });

  test("has notes on the oldest and on the current key in a create, and a warning in a delete", async () => {
    expect(notesOfCreate(cloudStaticRole, role)).toEqual([
      expect.stringContaining("deletes the oldest key"),
      expect.stringContaining("also deletes its current access key in AWS"),
    ]);
    const { resource, world } = await scene(cloudStaticRole);
    await resource.create(role);
    await resource.delete();
    expect(world.logged).toEqual([
      "warning: the IAM user and its other access keys stay in AWS, without the role's current key, which the server deletes",
    ]);
  });

  test("a delete logs nothing if the role no longer exists", async () => {
    const { resource, world, deleteAsOther } = await scene(cloudStaticRole);
    await resource.create(role);
    await deleteAsOther(PATH);
    await resource.delete();
    expect(world.logged).toEqual([]);
  });
});

describe("LDAP static role (A6)", () => {
  const role = { roleName: "db", username: "svc-db", dn: "cn=svc-db,dc=example", rotationPeriod: "24h" };
  const PATH = "ldap/static-role/db";

  test("rejects a rotationPeriod under five seconds", async () => {
    const { problems } = await scene(directoryStaticRole);
    expect(problems({ ...role, rotationPeriod: 4 })).toEqual([
      "rotationPeriod: given 4: must be at least 5 seconds",
    ]);
    expect(problems({ ...role, rotationPeriod: "5s" })).toEqual([]);
  });

  test.each([
    ["username", { username: "svc-other" }],
    ["dn", { dn: "cn=other,dc=example" }],
  ])("is replaced if %s changes, and the old role is deleted first", async (name, other) => {
    const { resource } = await scene(directoryStaticRole, DIRECTORY);
    await resource.create(role);
    const { changes, deleteFirst } = resource.preview({ ...role, ...other });
    expect(changes).toMatchObject([{ path: [name], replaces: true }]);
    expect(deleteFirst).toBe(true);
  });

  test("has a note that a create rotates the password immediately, except with skipImportRotation", () => {
    expect(notesOfCreate(directoryStaticRole, role)).toEqual([
      expect.stringContaining("rotates the account's password immediately"),
    ]);
    expect(notesOfCreate(directoryStaticRole, { ...role, skipImportRotation: true })).toEqual([]);
  });

  test.each([{}, { dn: "" }])("is updated in place if dn is removed (%j)", async (written) => {
    const { dn: _, ...rest } = role;
    const without = { ...rest, ...written };
    const { resource, readServer } = await scene(directoryStaticRole, DIRECTORY);
    await resource.create(role);
    const { changes } = resource.preview(without);
    expect(changes).toMatchObject([{ path: ["dn"], replaces: false }]);
    await resource.up(without);
    expect(await readServer(PATH)).toMatchObject({ dn: "" });
    expect(resource.preview(without).changes).toEqual([]);
    expect(resource.preview(role).changes).toMatchObject([{ path: ["dn"], replaces: true }]);
  });

  describe.each(["neutral", "real"] as const)("in the %s dialect", (dialect) => {
    async function inDialect(definition: AnyDefinition) {
      const { world } = await scene(directoryStaticRole, DIRECTORY);
      world.stub.configure({ dialect });
      const own = world.with({ dialect, directoryMount: "ldap" });
      const headers = { [dialect === "real" ? "x-vault-token" : "x-secrets-token"]: "root" };
      const password = async () => {
        const { json } = await own.send("GET", "/v1/ldap/static-cred/db", undefined, headers);
        return (json as { data: { password: string } }).data.password;
      };
      return { world: own, resource: new Resource(own, definition), password };
    }

    test("with skipImportRotation, a create does not rotate the password, and no update sends the property", async () => {
      const { world, resource, password } = await inDialect(directoryStaticRole);
      const skipping = { ...role, skipImportRotation: true };
      await resource.create(skipping);
      expect(await password()).toBe("");
      await resource.refresh();
      expect(resource.preview(skipping).changes).toEqual([]);
      await resource.up({ ...skipping, rotationPeriod: "12h" });
      for (const other of [role, { ...role, skipImportRotation: false }])
        expect(resource.preview({ ...other, rotationPeriod: "12h" }).changes).toEqual([]);
      await resource.up({ ...role, skipImportRotation: false, rotationPeriod: "6h" });
      const bodies = world.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
      expect(bodies).toEqual([
        { username: "svc-db", dn: role.dn, rotation_period: 86_400, skip_import_rotation: true },
        { username: "svc-db", rotation_period: 43_200 },
        { username: "svc-db", rotation_period: 21_600 },
      ]);
    });

    test("skipStaticRoleImportRotation of the LDAP configuration applies to roles without skipImportRotation", async () => {
      const { world, resource, password } = await inDialect(directoryConfig);
      const config = {
        binddn: "cn=admin",
        bindpass: "hush",
        adopt: true,
        skipStaticRoleImportRotation: true,
      };
      await resource.create(config);
      await expectNoChanges(resource, config);
      const account = new Resource(world, directoryStaticRole);
      await account.create(role);
      expect(await password()).toBe("");
      await account.delete();
      await account.create({ ...role, skipImportRotation: false });
      expect(await password()).not.toBe("");
    });

    test("the server rejects skip_import_rotation in an update", async () => {
      const { world, resource } = await inDialect(directoryStaticRole);
      await resource.create(role);
      const headers = {
        [dialect === "real" ? "x-vault-token" : "x-secrets-token"]: "root",
        "content-type": "application/json",
      };
      const answer = await world.send(
        "POST",
        "/v1/ldap/static-role/db",
        { skip_import_rotation: true },
        headers,
      );
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("skip_import_rotation has no effect on updates");
    });
  });

  test("shows no changes after the server has rotated the password", async () => {
    const { resource, world, readServer } = await scene(directoryStaticRole, DIRECTORY);
    await resource.create(role);
    const before = await readServer(PATH);
    world.now += 3 * 86_400_000;
    expect(await readServer(PATH)).not.toEqual(before);
    await resource.refresh();
    expect(resource.preview(role).changes).toEqual([]);
  });

  test("without dn, is created with username and rotationPeriod only, and shows no changes", async () => {
    const { resource, written } = await scene(directoryStaticRole, DIRECTORY);
    const { dn: _, ...rest } = role;
    await resource.create(rest);
    expect(written()).toEqual([{ username: "svc-db", rotation_period: 86_400 }]);
    expect(resource.preview(rest).changes).toEqual([]);
  });

  test("a delete sends no DELETE request for a deleted role, for which the server would return 500", async () => {
    const { resource, world, deleteAsOther } = await scene(directoryStaticRole, DIRECTORY);
    world.stub.configure({ absentStaticRoleDelete: 500 });
    await resource.create(role);
    await deleteAsOther(PATH);
    await resource.delete();
    expect(world.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  });
});
