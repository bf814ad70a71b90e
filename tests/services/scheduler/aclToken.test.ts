import aclToken from "../../../provider/services/scheduler/aclToken";
import { changedPaths, expectNoChanges } from "../expectations";
import { scene } from "./scene";

const program = { name: "deploy", type: "client", policies: ["read", "write"] };

async function tokenScene() {
  const made = await scene(aclToken);
  await made.theirs("/v1/acl/policy/read", { Name: "read", Rules: 'agent { policy = "read" }' });
  return { ...made, at: () => `/v1/acl/token/${made.resource.id}` };
}

describe("Nomad ACL token", () => {
  test("has the accessor ID and the secret that Nomad assigns, also after a rename", async () => {
    const { resource, readServer, at } = await tokenScene();
    await resource.create(program);
    const { SecretID } = await readServer(at());
    expect(resource.outputs).toMatchObject({ accessorId: resource.id, secretId: SecretID });
    await resource.up({ ...program, name: "deployment" });
    expect(resource.outputs).toMatchObject({ accessorId: resource.id, secretId: SecretID });
    expect(await readServer(at())).toMatchObject({ Name: "deployment", SecretID });
    await expectNoChanges(resource, { ...program, name: "deployment" });
  });

  test("is not created if a token of its name exists, or several", async () => {
    const { resource, theirs, readServer } = await tokenScene();
    await theirs("/v1/acl/token", { Name: "deploy", Type: "client", Policies: ["theirs"] });
    await expect(resource.create(program)).rejects.toThrow(/Nomad ACL token .*already exists/);
    await theirs("/v1/acl/token", { Name: "deploy", Type: "client", Policies: ["theirs"] });
    await expect(resource.create(program)).rejects.toThrow("several ACL tokens with the name");
    expect(await readServer("/v1/acl/tokens")).toHaveLength(2);
  });

  test("is found by its name if the response to the create is lost", async () => {
    const { resource, world, readServer, at } = await tokenScene();
    let writes = 0;
    world.fate = ({ nature }) => (nature !== "read" && writes++ === 0 ? "response lost" : "passes");
    await resource.create(program);
    expect(writes).toBe(1);
    expect(await readServer("/v1/acl/tokens")).toHaveLength(1);
    expect(await readServer(at())).toMatchObject({ Name: "deploy", SecretID: resource.outputs.secretId });
  });

  test("keeps its expiration in an update, and is replaced if the program changes it", async () => {
    const { resource, readServer, at } = await tokenScene();
    const expiring = { ...program, expirationTtl: "90m" };
    await resource.create(expiring);
    const before = await readServer(at());
    expect(resource.outputs).toMatchObject({ expirationTime: before.ExpirationTime });
    expect(changedPaths(resource, { ...expiring, expirationTtl: "1h30m" })).toEqual([]);
    await resource.up({ ...expiring, policies: ["read"] });
    expect(await readServer(at())).toMatchObject({
      Policies: ["read"],
      ExpirationTTL: "1h30m0s",
      ExpirationTime: before.ExpirationTime,
      CreateTime: before.CreateTime,
    });
    const longer = resource.preview({ ...expiring, policies: ["read"], expirationTtl: "2h" });
    expect(longer.changes).toMatchObject([{ path: ["expirationTtl"], replaces: true }]);
    const global = resource.preview({ ...expiring, policies: ["read"], global: true });
    expect(global.changes).toMatchObject([{ path: ["global"], replaces: true }]);
  });

  test("keeps the expiration that someone else set, and that the program does not manage", async () => {
    const { resource, theirs, readServer, at } = await tokenScene();
    await theirs("/v1/acl/token", { ...inPascal(program), ExpirationTTL: "2h" });
    await resource.create({ ...program, adopt: true });
    await resource.up({ ...program, policies: ["read"], adopt: true });
    expect(await readServer(at())).toMatchObject({ Policies: ["read"], ExpirationTTL: "2h0m0s" });
  });

  test("is not created again by an update if someone else deleted it", async () => {
    const { resource, deleteAsOther, readServer, at } = await tokenScene();
    await resource.create(program);
    await deleteAsOther(at());
    await expect(resource.update({ ...program, policies: ["read"] })).rejects.toThrow("no longer exists");
    expect(await readServer("/v1/acl/tokens")).toEqual([]);
  });

  test("has the roles of the program, whose names others may change", async () => {
    const { resource, theirs, readServer } = await tokenScene();
    await theirs("/v1/acl/role", { Name: "ops", Policies: [{ Name: "read" }] });
    const { ID = "" } = await readServer("/v1/acl/role/name/ops");
    const withRole = { name: "deploy", type: "client", roles: [ID] };
    await resource.create(withRole);
    await theirs(`/v1/acl/role/${ID}`, { ID, Name: "operators", Policies: [{ Name: "read" }] });
    await expectNoChanges(resource, withRole);
  });

  test("has problems in the preview without permissions, and as a management token with policies", async () => {
    const { problems } = await tokenScene();
    expect(problems({ name: "deploy", type: "client" })).toEqual([
      expect.stringContaining("roles are required if type is client"),
    ]);
    expect(problems({ name: "deploy", type: "management", policies: ["read"] })).toEqual([
      expect.stringContaining("must be client if the token has policies or roles"),
    ]);
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther, at } = await tokenScene();
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, status: 404, text: "", json: undefined });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(at());
    expect(await resource.refresh()).toBe(false);
  });

  test("is listed by its accessor ID, with its name", async () => {
    const { resource, listed } = await tokenScene();
    await resource.create(program);
    expect(await listed()).toMatchObject([{ id: resource.id, name: "deploy" }]);
  });
});

const inPascal = ({ name, type, policies }: typeof program) => ({
  Name: name,
  Type: type,
  Policies: policies,
});
