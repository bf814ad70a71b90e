import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import functions from "../../../provider/services/secrets/functions";
import queueRole from "../../../provider/services/secrets/queueRole";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { World } from "../../steps/world";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

async function scene(writes: Readonly<Record<string, Json>> = {}): Promise<World> {
  const world = new World(
    new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
    queueRole,
    {
      token: "root",
    },
  );
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

const ROOT = { access_key: "AKIA", secret_key: "hush" };
const DIRECTORY = { binddn: "cn=admin", bindpass: "hush" };
const LDIF = {
  creation_ldif: "dn: cn={{.Username}}\nchangetype: add",
  deletion_ldif: "dn: cn={{.Username}}\nchangetype: delete",
};

describe("functions that read Vault objects", () => {
  test("getQueueRole returns a RabbitMQ role", async () => {
    const world = await scene({ "msgq/roles/app": { tags: "monitoring" } });
    const { result, isSecret } = await call(world, functions.getQueueRole, { name: "app" });
    expect(result).toMatchObject({ id: "msgq/app", mount: "msgq", name: "app", tags: ["monitoring"] });
    expect(isSecret).toBe(false);
  });

  test("getMfaMethod returns an Okta method without its token, and getLoginEnforcement an enforcement", async () => {
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

  test("getQueueRoles returns the keys up to limit, and none if the server returns 404 without an error", async () => {
    expect((await call(await scene(), functions.getQueueRoles, {})).result).toEqual({ keys: [] });
    const world = await scene({ "msgq/roles/b": { tags: "x" }, "msgq/roles/a": { tags: "x" } });
    expect((await call(world, functions.getQueueRoles, {})).result).toEqual({ keys: ["a", "b"] });
    expect((await call(world, functions.getQueueRoles, { limit: 1 })).result).toEqual({ keys: ["a"] });
  });

  test("getQueueRoles fails if the mount does not exist", async () => {
    await expect(call(await scene(), functions.getQueueRoles, { mount: "other" })).rejects.toThrow(
      "no handler for route",
    );
  });

  test("getQueueRole fails if the role does not exist", async () => {
    await expect(call(await scene(), functions.getQueueRole, { name: "none" })).rejects.toThrow(
      'RabbitMQ role "msgq/none" does not exist',
    );
  });
});

describe("functions that read the objects of an engine", () => {
  const writes = {
    "cloud/config/root": ROOT,
    "cloud/config/lease": { lease: "30m", lease_max: "24h" },
    "cloud/roles/deploy": { credential_type: "session_token" },
    "cloud/static-roles/app": { username: "svc-app", rotation_period: "24h" },
    "msgq/config/lease": { ttl: 60 },
    "ldap/config": DIRECTORY,
    "ldap/static-role/db": { username: "svc-db", rotation_period: "1h" },
    "ldap/role/reader": LDIF,
    "ldap/library/ops": { service_account_names: "svc-1,svc-2" },
  };

  test.each<[keyof typeof functions, Values, Values]>([
    ["getCloudRoot", {}, { id: "cloud", accessKey: "AKIA", maxRetries: -1 }],
    ["getCloudLease", {}, { id: "cloud", lease: 1800, leaseMax: 86_400 }],
    ["getCloudRole", { name: "deploy" }, { id: "cloud/deploy", credentialType: "session_token" }],
    ["getCloudStaticRole", { name: "app" }, { id: "cloud/app", username: "svc-app", rotationPeriod: 86_400 }],
    ["getQueueLease", {}, { id: "msgq", ttl: 60, maxTtl: 0 }],
    ["getDirectoryConfig", {}, { id: "ldap", binddn: "cn=admin", schema: "openldap", length: 64 }],
    [
      "getDirectoryStaticRole",
      { roleName: "db" },
      { id: "ldap/db", rotationPeriod: 3600, lastVaultRotation: "2030-01-01T00:00:00.000Z" },
    ],
    ["getDirectoryRole", { roleName: "reader" }, { id: "ldap/reader", deletionLdif: LDIF.deletion_ldif }],
    [
      "getLibrarySet",
      { name: "ops" },
      { id: "ldap/ops", serviceAccountNames: ["svc-1", "svc-2"], ttl: 86_400 },
    ],
    ["getCloudRoles", {}, { keys: ["deploy"] }],
    ["getCloudStaticRoles", {}, { keys: ["app"] }],
    ["getDirectoryStaticRoles", {}, { keys: ["db"] }],
    ["getDirectoryRoles", {}, { keys: ["reader"] }],
    ["getLibrarySets", {}, { keys: ["ops"] }],
  ])("%s returns the stored values without a secret", async (name, args, expected) => {
    const { result, isSecret } = await call(await scene(writes), functions[name], args);
    expect(result).toMatchObject(expected);
    expect(isSecret).toBe(false);
    expect(JSON.stringify(result)).not.toContain("hush");
  });

  test("getCloudRoot returns the new access key after a rotation", async () => {
    const world = await scene(writes);
    await world.send("POST", "/v1/cloud/config/rotate-root", {}, headers);
    const { result } = await call(world, functions.getCloudRoot, {});
    expect(result.accessKey).toMatch(/^AKIA./);
    expect(result.accessKey).not.toBe("AKIA");
  });

  test("getLibraryStatus returns the borrower of each account, and marks the borrower's token as secret", async () => {
    const world = await scene(writes);
    const free = await call(world, functions.getLibraryStatus, { name: "ops" });
    expect(free).toMatchObject({
      isSecret: false,
      result: {
        accounts: [
          { name: "svc-1", available: true },
          { name: "svc-2", available: true },
        ],
      },
    });
    await world.send("POST", "/v1/ldap/library/ops/check-out", {}, headers);
    const taken = await call(world, functions.getLibraryStatus, { name: "ops" });
    expect(taken.result.accounts).toMatchObject([
      { name: "svc-1", available: false, borrowerClientToken: expect.stringMatching(/^[0-9a-f]{40}$/) },
      { name: "svc-2", available: true },
    ]);
    expect(taken.isSecret).toBe(true);
    await expect(call(world, functions.getLibraryStatus, { name: "none" })).rejects.toThrow("returned 400");
  });

  test("getRekeyStatus returns the state of a rekey, and getRecoveryKeyBackup its backup as a secret", async () => {
    const world = await scene();
    const before = await call(world, functions.getRekeyStatus, {});
    expect(before.result).toMatchObject({
      started: false,
      progress: 0,
      required: 2,
      verificationRequired: false,
    });
    await expect(call(world, functions.getRekeyVerificationStatus, {})).rejects.toThrow("returned 400");
    await expect(call(world, functions.getRecoveryKeyBackup, {})).rejects.toThrow("no backed-up keys found");
    const init = { secret_shares: 1, secret_threshold: 1, pgp_keys: [btoa("key")], backup: true };
    const { json } = await world.send("POST", "/v1/sys/rekey-recovery-key/init", init, headers);
    const { nonce } = json as { nonce: string };
    const during = await call(world, functions.getRekeyStatus, {});
    expect(during.result).toMatchObject({ started: true, nonce, threshold: 1, shares: 1, backup: true });
    expect(during.result.pgpFingerprints).toHaveLength(1);
    for (const key of INITIAL_SHARES.slice(0, 2)) {
      await world.send("POST", "/v1/sys/rekey-recovery-key/update", { key, nonce }, headers);
    }
    const backup = await call(world, functions.getRecoveryKeyBackup, {});
    expect(backup).toMatchObject({ isSecret: true, result: { nonce, keys: expect.any(Object) } });
  });
});

describe("functions that return credentials", () => {
  test("return the credentials of static roles, and send only reads", async () => {
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

  test.each([
    ["QueueCredentials", functions.getQueueCredentials, { name: "app" }],
    ["CloudCredentials", functions.getCloudCredentials, { name: "app", mfaCode: "123456-canary" }],
    ["DirectoryCredentials", functions.getDirectoryCredentials, { roleName: "dev" }],
  ] as const)(
    "fail without a request if they would issue credentials, and name the resource %s",
    async (resource, definition, args) => {
      const world = await scene();
      const failure = await call(world, definition, args).catch(String);
      expect(failure).toContain(`always fails. Use the resource ${resource},`);
      expect(failure).not.toContain("canary");
      expect(world.requests).toEqual([]);
    },
  );
});
