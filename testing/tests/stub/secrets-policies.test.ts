import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const ACL = "sys/policies/acl/app";
const PASSWORD = "sys/policies/password/App";
const POLICY = { policy: 'path "kv/*" { capabilities = ["read"] }' };
const PASSWORDS = { policy: 'length = 8\nrule "charset" { charset = "ab" }' };

describe("ACL policies", () => {
  test("have a version that each write increments, and that check-and-set compares", async () => {
    await scene.write(ACL, { ...POLICY, cas: -1 });
    expect((await scene.read(ACL)).body.data).toMatchObject({ ...POLICY, name: "app", version: 1 });
    expect(await scene.write(ACL, { ...POLICY, cas: 2 })).toMatchObject({
      status: 400,
      body: { errors: ["check-and-set parameter did not match the current version"] },
    });
    await scene.write(ACL, { ...POLICY, cas: 1 });
    expect((await scene.read(ACL)).body.data).toMatchObject({ version: 2 });
  });

  test("have no versions and no check on Vault", async () => {
    const vault = new Scene({ policyVersions: false });
    await vault.write(ACL, { ...POLICY, cas: 9 });
    expect((await vault.read(ACL)).body.data).toEqual({ ...POLICY, name: "app" });
  });

  test("are listed with the built-in policies, and belong to their namespace", async () => {
    await scene.write(ACL, POLICY, { namespace: "team" });
    expect(
      (await scene.send("LIST", "sys/policies/acl", undefined, { namespace: "team" })).body.data,
    ).toEqual({
      keys: ["app", "default", "root"],
    });
    expect(await scene.read(ACL)).toMatchObject(NOT_FOUND);
  });

  test("are deleted, except the built-in ones", async () => {
    await scene.write(ACL, POLICY);
    expect((await scene.send("DELETE", ACL)).status).toBe(204);
    expect(await scene.read(ACL)).toMatchObject(NOT_FOUND);
    for (const name of ["default", "root"])
      expect((await scene.send("DELETE", `sys/policies/acl/${name}`)).status).toBe(400);
  });

  test("must be HCL or JSON", async () => {
    expect((await scene.write(ACL, { policy: "no policy" })).status).toBe(400);
    expect((await scene.write(ACL, {})).status).toBe(400);
  });
});

describe("password policies", () => {
  test("have names with upper case and slashes, and are listed", async () => {
    expect((await scene.send("LIST", "sys/policies/password")).status).toBe(404);
    await scene.write(PASSWORD, PASSWORDS);
    await scene.write("sys/policies/password/teams/app", PASSWORDS);
    expect((await scene.read(PASSWORD)).body.data).toEqual(PASSWORDS);
    expect((await scene.send("LIST", "sys/policies/password")).body.data).toEqual({
      keys: ["App", "teams/app"],
    });
  });

  test("that do not exist return 404 with an error", async () => {
    await scene.write(PASSWORD, PASSWORDS);
    expect((await scene.send("DELETE", PASSWORD)).status).toBe(204);
    expect(await scene.read(PASSWORD)).toMatchObject({
      status: 404,
      body: { errors: [expect.stringContaining("policy does not exist")] },
    });
  });

  test("must have a rule", async () => {
    expect((await scene.write(PASSWORD, { policy: "length = 8" })).status).toBe(400);
    expect((await scene.write(PASSWORD, {})).status).toBe(400);
  });
});
