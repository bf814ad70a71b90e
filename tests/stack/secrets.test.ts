import type * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(180_000);

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
});
afterEach(() => stack.close());

const { secrets } = quarterdeck;
const [FIRST = "", SECOND = ""] = INITIAL_SHARES;
const LDIF = {
  creationLdif: "dn: cn={{.Username}},dc=example\nobjectClass: person\nuserPassword: {{.Password}}\n",
  deletionLdif: "dn: cn={{.Username}},dc=example\nchangetype: delete\n",
};

describe("rekey of the recovery key", () => {
  const ceremony =
    (shares: readonly string[], triggers: readonly string[] = []) =>
    async () => {
      const rekey = new secrets.RecoveryKeyRekey("rekey", {
        secretShares: 3,
        secretThreshold: 2,
        shares: [...shares],
        triggers: [...triggers],
      });
      const verification = new secrets.RecoveryKeyVerification("verification", {
        rekeyNonce: rekey.nonce,
        shares: rekey.keysBase64.apply((keys) => keys ?? []),
      });
      return { keys: rekey.keysBase64, phase: verification.phase };
    };

  test("completes in one up, stores the new shares encrypted, and starts again only if its triggers change", async () => {
    expect(await stack.preview(ceremony([FIRST, SECOND]))).toMatchObject({ failure: undefined });
    expect(await stack.stub.requests()).toEqual([]);
    const { failure, outputs } = await stack.up(ceremony([FIRST, SECOND]));
    expect(failure).toBeUndefined();
    expect(outputs.phase).toBe("complete");
    const keys = outputs.keys as string[];
    expect(keys).toHaveLength(3);
    for (const text of [stack.state(), stack.printed]) {
      for (const share of [...keys, FIRST, SECOND]) expect(text).not.toContain(share);
    }
    const before = (await stack.writes()).length;
    expect(await stack.preview()).toMatchObject({ changes: { same: 3 } });
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 3 } });
    expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 3 } });
    // Changed triggers start a second rekey, with the new shares.
    const again = await stack.up(ceremony(keys.slice(1), ["again"]));
    expect(again).toMatchObject({ failure: undefined, outputs: { phase: "complete" } });
    expect(again.outputs.keys).not.toEqual(keys);
    expect((await stack.writes()).length).toBeGreaterThan(before);
    const sent = (await stack.writes()).length;
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
    expect((await stack.writes()).length).toBe(sent);
  });

  test("is stored as incomplete if it has too few shares, and a later up resumes it as an update", async () => {
    const incomplete = await stack.up(ceremony([FIRST]));
    expect(`${incomplete.failure}${incomplete.output}`).toContain(
      "has 1 of 2 required shares of the current recovery key",
    );
    expect(await stack.refresh()).toMatchObject({ failure: undefined });
    const preview = await stack.preview(ceremony([FIRST, SECOND]));
    expect(preview).toMatchObject({ failure: undefined, changes: { update: 1 } });
    expect(preview.output).toContain("the unfinished operation continues");
    const resumed = await stack.up(ceremony([FIRST, SECOND]));
    expect(resumed).toMatchObject({
      failure: undefined,
      changes: { update: 1 },
      outputs: { phase: "complete" },
    });
    const given = (await stack.stub.requests()).filter(
      ({ method, path }) => method === "POST" && path.endsWith("rekey-recovery-key/update"),
    );
    expect(given).toHaveLength(2);
  });

  test("is canceled on the server if it is destroyed while it is incomplete", async () => {
    await stack.up(ceremony([FIRST]));
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
    const { body } = await ask("secrets", "GET", "/v1/sys/rekey-recovery-key/init");
    expect(body.started).toBe(false);
  });
});

describe("library check-out", () => {
  const library =
    (triggers: readonly string[] = []) =>
    async () => {
      const directory = new secrets.DirectoryConfig("directory", { binddn: "cn=admin", bindpass: "hush" });
      const set = new secrets.LibrarySet(
        "operators",
        { name: "operators", serviceAccountNames: ["svc-1", "svc-2", "svc-3"], ttl: "1h" },
        { dependsOn: directory },
      );
      const accounts = ["a", "b"].map(
        (name) => new secrets.LibraryCheckOut(name, { setName: set.name, triggers: [...triggers] }),
      );
      return {
        names: accounts.map(({ serviceAccountName }) => serviceAccountName),
        passwords: accounts.map(({ password }) => password),
      };
    };
  const status = async () => (await ask("secrets", "GET", "/v1/ldap/library/operators/status")).body.data;

  test("checks out one account per resource, checks out others for new triggers, and can be destroyed", async () => {
    const { failure, outputs } = await stack.up(library());
    expect(failure).toBeUndefined();
    expect(new Set(outputs.names as string[]).size).toBe(2);
    expect(await stack.preview()).toMatchObject({ changes: { same: 5 } });
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 5 } });
    const replaced = await stack.up(library(["again"]));
    expect(replaced).toMatchObject({ failure: undefined, changes: { replace: 2 } });
    expect(replaced.outputs.passwords).not.toEqual(outputs.passwords);
    const out = Object.values(await status()).filter(
      (account) => !(account as { available: boolean }).available,
    );
    expect(out).toHaveLength(2);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
    const left = await ask("secrets", "GET", "/v1/ldap/library?list=true");
    expect(left.status).toBe(404);
  });

  test("is removed by a refresh after a check-in by someone else, and created again by the next up", async () => {
    await stack.up(library());
    for (const service_account_names of [["svc-1"], ["svc-2"]]) {
      await ask("secrets", "POST", "/v1/ldap/library/manage/operators/check-in", { service_account_names });
    }
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { delete: 2 } });
    expect(await stack.up()).toMatchObject({ failure: undefined, changes: { create: 2 } });
  });
});

test("a library check-out whose lease has ended is replaced, which the preview shows without a refresh", async () => {
  const checkOutProgram = async () => {
    const directory = new secrets.DirectoryConfig("directory", { binddn: "cn=admin", bindpass: "hush" });
    const set = new secrets.LibrarySet(
      "operators",
      { name: "operators", serviceAccountNames: ["svc-1"], ttl: 1, maxTtl: 60 },
      { dependsOn: directory },
    );
    const account = new secrets.LibraryCheckOut("account", { setName: set.name });
    return { ends: account.leaseEnds, password: account.password };
  };
  const first = await stack.up(checkOutProgram);
  expect(first.failure).toBeUndefined();
  const end = Date.parse(String(first.outputs.ends));
  while (Date.now() < end) await stack.preview(checkOutProgram);
  const sent = (await stack.stub.requests()).length;
  const preview = await stack.preview(checkOutProgram);
  expect(preview).toMatchObject({ failure: undefined, changes: { same: 3, replace: 1 } });
  expect(preview.output).toContain("has passed, so pulumi up replaces the resource");
  expect(await stack.stub.requests()).toHaveLength(sent);
  const again = await stack.up(checkOutProgram);
  expect(again).toMatchObject({ failure: undefined, changes: { replace: 1 } });
  expect(again.outputs.password).not.toBe(first.outputs.password);
});

test("RabbitMQ credentials are issued once, stored encrypted, and issued again only if the triggers change", async () => {
  const issuing = (trigger: string) => async () => {
    const broker = new secrets.QueueConnection("broker", {
      connectionUri: "http://broker:15672",
      username: "admin",
      password: "hush",
    });
    const role = new secrets.QueueRole("app", { name: "app", tags: "monitoring" }, { dependsOn: broker });
    const user = new secrets.QueueCredentials("app", { name: role.name, triggers: [trigger] });
    return { username: user.username, password: user.password };
  };
  const issued = async () =>
    (await stack.stub.requests()).filter(({ path }) => path.endsWith("/v1/rabbitmq/creds/app")).length;
  expect(await stack.preview(issuing("one"))).toMatchObject({ failure: undefined, changes: { create: 4 } });
  expect(await issued()).toBe(0);
  const first = await stack.up(issuing("one"));
  expect(first.failure).toBeUndefined();
  expect(await stack.preview(issuing("one"))).toMatchObject({ changes: { same: 4 } });
  expect(await stack.up(issuing("one"))).toMatchObject({ failure: undefined, changes: { same: 4 } });
  expect(await issued()).toBe(1);
  const again = await stack.up(issuing("two"));
  expect(again).toMatchObject({ failure: undefined, changes: { replace: 1 } });
  expect(again.outputs.password).not.toBe(first.outputs.password);
  expect(await issued()).toBe(2);
  for (const { outputs } of [first, again])
    for (const secret of [outputs.username, outputs.password])
      expect(`${stack.state()}${stack.printed}`).not.toContain(secret);
});

describe("the secrets of all Vault resources and functions", () => {
  const PGP = [Buffer.from("a key").toString("base64")];

  /** Every resource and every function that accepts or returns a secret. */
  const everything = (suffix: string) => async () => {
    const mfaCode = `canary-mfa-code-${suffix}`;
    const queue = new secrets.QueueConnection("queue", {
      connectionUri: `http://canary-uri-${suffix}@broker:15672`,
      username: "admin",
      password: `canary-queue-${suffix}`,
    });
    const queueRole = new secrets.QueueRole(
      "queue",
      { name: "app", tags: "monitoring" },
      { dependsOn: queue },
    );
    new secrets.MfaMethod("staff", {
      methodName: "staff",
      orgName: "acme",
      apiToken: `canary-api-${suffix}`,
    });
    const cloud = new secrets.CloudRoot("cloud", {
      accessKey: "AKIA",
      secretKey: `canary-secret-key-${suffix}`,
    });
    const role = new secrets.CloudRole(
      "cloud",
      { name: "deploy", credentialType: "session_token", mfaSerialNumber: "arn:mfa" },
      { dependsOn: cloud },
    );
    const cloudStatic = new secrets.CloudStaticRole(
      "cloud",
      { name: "app", username: "svc-app", rotationPeriod: "24h" },
      { dependsOn: cloud },
    );
    const directory = new secrets.DirectoryConfig("directory", {
      binddn: "cn=admin",
      bindpass: `canary-bindpass-${suffix}`,
      clientTlsCert: "certificate",
      clientTlsKey: `canary-tls-key-${suffix}`,
    });
    const after = { dependsOn: directory };
    const dynamic = new secrets.DirectoryRole("reader", { roleName: "reader", ...LDIF }, after);
    const fixed = new secrets.DirectoryStaticRole(
      "db",
      { roleName: "db", username: "svc-db", rotationPeriod: "1h" },
      after,
    );
    const rotation = new secrets.DirectoryRoleRotation("db", {
      roleName: fixed.roleName,
      triggers: [suffix],
    });
    const set = new secrets.LibrarySet("ops", { name: "ops", serviceAccountNames: ["svc-1"] }, after);
    const account = new secrets.LibraryCheckOut("ops", { setName: set.name });
    const rekey = new secrets.RecoveryKeyRekey("rekey", {
      secretShares: 1,
      secretThreshold: 1,
      shares: [FIRST, SECOND],
      requireVerification: false,
      pgpKeys: PGP,
      backup: true,
    });
    const made = (resource: pulumi.Resource) => ({ dependsOn: resource });
    const keys = new secrets.CloudCredentials("deploy", { name: "deploy", mfaCode }, made(role));
    return {
      made: [
        account.password,
        account.leaseId,
        rekey.keys,
        rekey.keysBase64,
        new secrets.QueueCredentials("app", { name: "app" }, made(queueRole)).password,
        [keys.secretKey, keys.sessionToken],
        secrets.getCloudStaticCredentialsOutput({ name: "app" }, made(cloudStatic)).secretKey,
        secrets
          .getDirectoryStaticCredentialsOutput({ roleName: "db" }, made(rotation))
          .apply((answer) => [answer.password, answer.lastPassword]),
        new secrets.DirectoryCredentials("reader", { roleName: "reader" }, made(dynamic)).password,
        secrets
          .getLibraryStatusOutput({ name: "ops" }, made(account))
          .apply(({ accounts }) => accounts.map(({ borrowerClientToken }) => borrowerClientToken)),
        secrets.getRecoveryKeyBackupOutput({}, made(rekey)).keys,
      ],
    };
  };

  /** All strings in a value, at any depth. */
  function textsIn(value: unknown): string[] {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
  }

  test("appear only in the encrypted state, also if a server generates them or quotes them in an error", async () => {
    await stack.preview(everything("one"));
    const first = await stack.up(everything("one"));
    expect(first.failure).toBeUndefined();
    const made = (first.outputs.made as unknown[]).map(textsIn);
    for (const texts of made) expect(texts).not.toEqual([]);
    const planted = (suffix: string) =>
      ["uri", "queue", "api", "secret-key", "bindpass", "tls-key", "mfa-code"].map(
        (name) => `canary-${name}-${suffix}`,
      );
    await stack.refresh();
    for (const [suffix, path, canary] of [
      ["two", "/v1/rabbitmq/config/connection", "canary-queue"],
      ["three", "/v1/aws/config/root", "canary-secret-key"],
      ["four", "/v1/ldap/config", "canary-bindpass"],
    ] as const) {
      await stack.preview(everything(suffix));
      await stack.stub.fault({
        kind: "status",
        match: { service: "secrets", method: "POST", path },
        status: 400,
        body: JSON.stringify({ errors: [`cannot work with ${canary}-${suffix}`] }),
      });
      const refused = await stack.up(everything(suffix));
      expect(`${refused.failure}${refused.output}`).toContain("cannot work with");
      await stack.stub.expectFaultsUsed();
      await stack.stub.clearFaults();
    }
    const second = await stack.up(everything("four"));
    expect(second.failure).toBeUndefined();
    const again = (second.outputs.made as unknown[]).map(textsIn);
    const state = stack.state();
    expect(await stack.destroy()).toMatchObject({ failure: undefined });

    const everySecret = [
      ...made.flat(),
      ...again.flat(),
      FIRST,
      SECOND,
      ...planted("one"),
      ...planted("two"),
    ];
    expect(everySecret.length).toBeGreaterThan(40);
    for (const text of [state, stack.printed, stack.state()]) {
      for (const secret of everySecret) expect(text.includes(secret) ? secret : undefined).toBeUndefined();
    }
  });
});
