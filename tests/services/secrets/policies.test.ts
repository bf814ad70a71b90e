import { type ListedObject, listObjects, questionOf } from "../../../provider/core/functions/objects";
import type { Json } from "../../../provider/core/value/json";
import passwordPolicy from "../../../provider/services/secrets/passwordPolicy";
import policy from "../../../provider/services/secrets/policy";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import type { Fate, World } from "../../steps/world";
import { expectNoChanges } from "../expectations";
import { DIRECTORY, scene } from "./scene";

const ACL = "sys/policies/acl/app";
const PASSWORD = "sys/policies/password/app";
const text = (capability: string) => `path "kv/app/*" {\n  capabilities = ["${capability}"]\n}\n`;
const passwords = (length: number) => `length = ${length}\nrule "charset" {\n  charset = "abc"\n}\n`;

/** Lets another user write just before our next write. */
function writeBeforeOurs(world: World, act: () => Promise<unknown>): void {
  world.fate = async ({ nature }): Promise<Fate> => {
    if (nature === "read") return "passes";
    world.fate = () => "passes";
    await act();
    return "passes";
  };
}

describe("ACL policy", () => {
  const program = { name: "app", policy: text("read") };

  test("is created only if it is absent: OpenBao checks that with the write", async () => {
    const { resource, readServer, theirs, world, written } = await scene(policy);
    writeBeforeOurs(world, () => theirs(ACL, { policy: text("sudo") }));
    await expect(resource.create(program)).rejects.toThrow(
      'ACL policy "app" already exists; the server rejected the create.',
    );
    expect(written()).toEqual([{ policy: text("read"), cas: -1 }]);
    expect(await readServer(ACL)).toMatchObject({ policy: text("sudo"), version: 1 });
  });

  test("is updated only if it is as just read: OpenBao checks that with the write", async () => {
    const { resource, readServer, theirs, world, written } = await scene(policy);
    await resource.create(program);
    writeBeforeOurs(world, () => theirs(ACL, { policy: text("sudo") }));
    const ours = { ...program, policy: text("list") };
    await expect(resource.update(ours)).rejects.toThrow(/conflict: ACL policy "app" was changed/);
    expect(written().at(-1)).toEqual({ policy: text("list"), cas: 1, cas_required: false });
    expect(await readServer(ACL)).toMatchObject({ policy: text("sudo"), version: 2 });
  });

  test("is written with the new version if someone else wrote the same text again", async () => {
    const { resource, readServer, theirs, world, written } = await scene(policy);
    await resource.create(program);
    writeBeforeOurs(world, () => theirs(ACL, { policy: text("read") }));
    const ours = { ...program, policy: text("list") };
    await resource.update(ours);
    expect(written().map((body) => (body as { cas: Json }).cas)).toEqual([-1, 1, 2]);
    expect(await readServer(ACL)).toMatchObject({ policy: text("list"), version: 3 });
    await expectNoChanges(resource, ours);
  });

  test("keeps another user's cas_required and expiration at an update", async () => {
    const { resource, readServer, theirs } = await scene(policy);
    await resource.create(program);
    const theirOwn = { cas_required: true, expiration: "2031-01-01T00:00:00Z" };
    await theirs(ACL, { ...theirOwn, policy: text("read"), cas: 1 });
    await resource.update({ ...program, policy: text("list") });
    expect(await readServer(ACL)).toMatchObject({ ...theirOwn, policy: text("list"), version: 3 });
  });

  test("is read, compared and written without a check on Vault, which has no versions", async () => {
    const { resource, readServer, theirs, world, written } = await scene(policy);
    if (world.stub instanceof SecretsService) world.stub.configure({ policyVersions: false });
    await resource.create(program);
    expect(resource.outputs).not.toHaveProperty("version");
    await resource.update({ ...program, policy: text("list") });
    expect(written()).toEqual([{ policy: text("read"), cas: -1 }, { policy: text("list") }]);
    expect(await readServer(ACL)).toEqual({ name: "app", policy: text("list") });
    expect(world.logged).toEqual([]);
    await theirs(ACL, { policy: text("sudo") });
    await expect(resource.update({ ...program, policy: text("create") })).rejects.toThrow(/conflict/);
    expect(await readServer(ACL)).toEqual({ name: "app", policy: text("sudo") });
  });

  test("has a name in lower case, which the program may write in another case", async () => {
    const { resource, readServer } = await scene(policy);
    await resource.create({ ...program, name: "App" });
    expect(resource.id).toBe("app");
    expect(await readServer(ACL)).toMatchObject({ name: "app" });
    await expectNoChanges(resource, { ...program, name: "App" });
    await resource.update(program);
    expect(resource.outputs.name).toBe("app");
    await resource.update({ ...program, name: "APP" });
    expect(resource.outputs.name).toBe("app");
  });

  test("is listed without the root policy, and the default policy is not importable", async () => {
    const { resource, world } = await scene(policy);
    await resource.create(program);
    const question = questionOf(policy);
    if (question === undefined) throw new Error("policies cannot be listed");
    const objects: ListedObject[] = [];
    for await (const object of listObjects(
      question,
      {},
      { size: 10 },
      { connection: world.connection, log: () => undefined },
    ))
      objects.push(object);
    expect(objects.map(({ id, apart }) => [id, apart])).toEqual([
      ["app", undefined],
      ["default", "every namespace has it; to manage it, set adopt: true"],
    ]);
  });

  test("has problems in the preview for the root policy and for a text in base64", async () => {
    const { problems } = await scene(policy);
    expect(problems({ ...program, name: "Root" })).toEqual([expect.stringContaining("must not be root or")]);
    expect(problems({ ...program, policy: Buffer.from(text("read")).toString("base64") })).toEqual([
      expect.stringContaining("not its base64 encoding"),
    ]);
  });
});

describe("password policy", () => {
  const program = { name: "app", policy: passwords(20) };

  test("is gone if the server says that it does not exist", async () => {
    const { resource, deleteAsOther } = await scene(passwordPolicy);
    await resource.create(program);
    await deleteAsOther(PASSWORD);
    expect(await resource.refresh()).toBe(false);
  });

  test("is not taken for gone after any other 404", async () => {
    const { resource, world } = await scene(passwordPolicy);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 404,
      text: '{"errors":[]}',
      json: { errors: [] },
    });
    await expect(resource.refresh()).rejects.toThrow("404");
  });

  test("determines the passwords of an LDAP engine that names it", async () => {
    const { resource, readServer, theirs } = await scene(passwordPolicy, DIRECTORY);
    await resource.create(program);
    await theirs("ldap/config", { password_policy: "app" });
    await theirs("ldap/static-role/db", { username: "svc-db", dn: "cn=svc-db", rotation_period: "1h" });
    const { password } = await readServer("ldap/static-cred/db");
    expect(password).toMatch(/^[abc]{20}$/);
  });
});
