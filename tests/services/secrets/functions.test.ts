import type { Values } from "../../../provider/core/define";
import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Json } from "../../../provider/core/json";
import functions from "../../../provider/services/secrets/functions";
import queueRole from "../../../provider/services/secrets/queueRole";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { World } from "../../steps/world";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

async function scene(writes: Readonly<Record<string, Json>> = {}): Promise<World> {
  const world = new World(new SecretsService({ seed: { tokens: { root: {} } } }), queueRole, {
    token: "root",
  });
  for (const [path, body] of Object.entries(writes)) {
    const answer = await world.send("POST", `/v1/${path}`, body, headers);
    if (answer.status >= 300) throw new Error(answer.text);
  }
  return world;
}

async function call(world: World, definition: FunctionDefinition, args: Values, logged: string[] = []) {
  const { connection } = world;
  return callFunction(definition, args, { connection, log: (_, message) => logged.push(message) });
}

const BROKER = { connection_uri: "http://broker", username: "admin", password: "hush" };
const ROOT = { access_key: "AKIA", secret_key: "hush" };
const DIRECTORY = { binddn: "cn=admin", bindpass: "hush" };
const LDIF = {
  creation_ldif: "dn: cn={{.Username}}\nchangetype: add",
  deletion_ldif: "dn: cn={{.Username}}\nchangetype: delete",
};

describe("a read of the secrets service", () => {
  test("answers a role of the message-queue engine", async () => {
    const world = await scene({ "msgq/roles/app": { tags: "monitoring" } });
    const { result, isSecret } = await call(world, functions.getQueueRole, { name: "app" });
    expect(result).toMatchObject({ id: "msgq/app", mount: "msgq", name: "app", tags: ["monitoring"] });
    expect(isSecret).toBe(false);
  });

  test("answers an MFA method without its token, and an enforcement", async () => {
    const world = await scene();
    const made = await world.send(
      "POST",
      "/v1/identity/mfa/method/extidp",
      { method_name: "corp", org_name: "acme", api_token: "hush" },
      headers,
    );
    const { method_id: methodId } = (made.json as { data: { method_id: string } }).data;
    const method = await call(world, functions.getMfaMethod, { methodId });
    expect(method.result).toMatchObject({ id: methodId, methodName: "corp", orgName: "acme" });
    expect(JSON.stringify(method)).not.toContain("hush");
    const body = { mfa_method_ids: [methodId], auth_method_types: ["userpass"] };
    await world.send("POST", "/v1/identity/mfa/login-enforcement/all", body, headers);
    const enforcement = await call(world, functions.getLoginEnforcement, { name: "all" });
    expect(enforcement.result).toMatchObject({ name: "all", mfaMethodIds: [methodId] });
    expect((await call(world, functions.getMfaMethods, {})).result).toEqual({ keys: [methodId] });
    expect((await call(world, functions.getLoginEnforcements, {})).result).toEqual({ keys: ["all"] });
  });

  test("lists the keys of a collection, and none where the service answers 404 without an error", async () => {
    expect((await call(await scene(), functions.getQueueRoles, {})).result).toEqual({ keys: [] });
    const world = await scene({ "msgq/roles/b": { tags: "x" }, "msgq/roles/a": { tags: "x" } });
    expect((await call(world, functions.getQueueRoles, {})).result).toEqual({ keys: ["a", "b"] });
    expect((await call(world, functions.getQueueRoles, { limit: 1 })).result).toEqual({ keys: ["a"] });
  });

  test("of a mount that is not there is an error, and not an empty list", async () => {
    await expect(call(await scene(), functions.getQueueRoles, { mount: "other" })).rejects.toThrow(
      "no handler for route",
    );
  });

  test("of a role that is not there is an error", async () => {
    await expect(call(await scene(), functions.getQueueRole, { name: "none" })).rejects.toThrow(
      'secrets:QueueRole "msgq/none" does not exist',
    );
  });
});

describe("credentials", () => {
  test("of the message queue are made by a role, secret as a whole, with their lease", async () => {
    const world = await scene({ "msgq/config/connection": BROKER, "msgq/roles/app": { tags: "monitoring" } });
    const first = await call(world, functions.getQueueCredentials, { name: "app" });
    expect(first.isSecret).toBe(true);
    expect(first.result).toMatchObject({
      username: expect.stringMatching(/\S/),
      password: expect.stringMatching(/\S/),
      leaseId: expect.stringContaining("msgq/creds/app"),
      leaseDuration: expect.any(Number),
    });
    const second = await call(world, functions.getQueueCredentials, { name: "app" });
    expect(second.result.password).not.toBe(first.result.password);
    expect(world.requests.every(({ nature }) => nature === "single-use")).toBe(true);
  });

  test("of the cloud go to the endpoint that is asked for, with what the service knows of them", async () => {
    const world = await scene({
      "cloud/config/root": ROOT,
      "cloud/roles/deploy": {
        credential_type: "assumed_role",
        role_arns: "arn:aws:iam::1:role/a,arn:aws:iam::1:role/b",
      },
    });
    const args = { name: "deploy", roleArn: "arn:aws:iam::1:role/a", roleSessionName: "ci", ttl: 900 };
    const { result } = await call(world, functions.getCloudCredentials, args);
    expect(result).toMatchObject({
      accessKey: expect.stringMatching(/\S/),
      secretKey: expect.stringMatching(/\S/),
      sessionToken: expect.stringMatching(/\S/),
      arn: expect.stringContaining("role/a"),
    });
    expect(world.requests.at(-1)).toMatchObject({
      method: "GET",
      path: "/v1/cloud/creds/deploy",
      query: { role_arn: "arn:aws:iam::1:role/a", role_session_name: "ci", ttl: "900s" },
    });
    await call(world, functions.getCloudCredentials, { ...args, endpoint: "sts" });
    expect(world.requests.at(-1)).toMatchObject({
      method: "POST",
      path: "/v1/cloud/sts/deploy",
      body: { role_arn: "arn:aws:iam::1:role/a", role_session_name: "ci", ttl: "900s" },
    });
  });

  test("of the cloud say that a long session name will be cut", async () => {
    const logged: string[] = [];
    const args = { name: "none", roleSessionName: "x".repeat(65) };
    await call(await scene(), functions.getCloudCredentials, args, logged).catch(() => undefined);
    expect(logged).toEqual(["roleSessionName has 65 characters; the service cuts it after 64"]);
  });

  test("of a cloud role with an MFA device keep the code out of what is said", async () => {
    const world = await scene();
    const args = { name: "none", mfaCode: "123456-canary" };
    const failure = await call(world, functions.getCloudCredentials, args).catch(String);
    expect(failure).toContain("answered 400");
    expect(failure).not.toContain("canary");
  });

  test("of static roles are read, and may be read again", async () => {
    const world = await scene({
      "cloud/config/root": ROOT,
      "cloud/static-roles/ci": { username: "ci", rotation_period: "24h" },
      "ldap/config": DIRECTORY,
      "ldap/static-role/db": { username: "svc", dn: "cn=svc", rotation_period: "1h" },
    });
    const cloud = await call(world, functions.getCloudStaticCredentials, { name: "ci" });
    expect(Object.keys(cloud.result).sort()).toEqual(["accessKey", "secretKey"]);
    const directory = await call(world, functions.getDirectoryStaticCredentials, { roleName: "db" });
    expect(directory.result).toMatchObject({ dn: "cn=svc", username: "svc", rotationPeriod: 3600 });
    expect(directory.result.password).toMatch(/\S/);
    expect(world.requests.every(({ nature }) => nature === "read")).toBe(true);
  });

  test("of a directory's dynamic role name the entries that were made", async () => {
    const world = await scene({ "ldap/config": DIRECTORY, "ldap/role/dev": LDIF });
    const { result } = await call(world, functions.getDirectoryCredentials, { roleName: "dev" });
    expect(result.distinguishedNames).toEqual([`cn=${String(result.username)}`]);
    expect(result.leaseId).toContain("ldap/creds/dev");
  });
});
