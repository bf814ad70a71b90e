import { PartialError } from "../../../provider/core/state/errors";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { kinds, leases, staged } from "./credentialScene";
import { inTrouble, MISHAPS } from "./mishaps";

// These tests change the dialect of a stub that starts in `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

const HOUR = 3_600_000;
const asRoot = { "x-vault-token": "root", "content-type": "application/json" };

/** What somebody does at a console of the real product. */
const person = (world: World, path: string, body: object) =>
  world.send("POST", `/v1/${path}`, { ...body } as never, asRoot);

describe.each(kinds.map(([definition, program]) => [definition.token, definition, program] as const))(
  "%s",
  (_, definition, program) => {
    test("whose lease was revoked are gone by a refresh, and are issued anew", async () => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      await person(world, "sys/leases/revoke", { lease_id: resource.outputs.leaseId });
      expect(await resource.refresh()).toBe(false);
      expect(world.logged.join()).toContain("the service knows its lease no more");
      const anew = new Resource(world, definition);
      await anew.create(program);
      expect(leases(world)).toEqual([anew.outputs.leaseId]);
    });

    test("whose lease has ended are gone by a refresh", async () => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      world.now += HOUR;
      expect(await resource.refresh()).toBe(false);
    });

    test.each([[403, '{"errors":["permission denied"]}', "this token may not look leases up"]])(
      "whose token may not look leases up (%d) go by the clock, and say so",
      async (status, text, told) => {
        const { world, resource } = await staged(definition);
        await resource.create(program);
        world.fate = ({ path }) =>
          path.endsWith("lookup") ? { answer: { status, text }, isCarriedOut: false } : "passes";
        expect(await resource.refresh()).toBe(true);
        expect(world.logged.at(-1)).toMatch(/^warning: only the clock tells of its lease, which ends at /);
        world.now += HOUR;
        expect(await resource.refresh()).toBe(true);
        expect(world.logged.at(-1)).toContain(told);
        expect(world.logged.at(-1)).toContain("change triggers");
      },
    );

    test.each([
      [503, '{"errors":["sealed"]}'],
      [400, '{"errors":["not now"]}'],
      [404, '{"errors":["invalid lease"]}'],
      [200, '{"data":{"id":"another","ttl":60}}'],
    ])("keep their state where the look-up says nothing of their lease: %d %s", async (status, text) => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      const { outputs } = resource;
      world.fate = () => ({ answer: { status, text }, isCarriedOut: false });
      await expect(resource.refresh()).rejects.toThrow(/leases\/lookup/);
      expect(resource.outputs).toEqual(outputs);
    });

    test("by the specification go by the clock, and say so", async () => {
      const { world, resource } = await staged(definition, "neutral");
      await resource.create(program);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([expect.stringMatching(/^info: only the clock tells .* no request/)]);
      expect(world.requests).toHaveLength(1);
    });

    test("that cannot be renewed are replaced near their end, new ones first, and the preview says so", async () => {
      const { world, resource } = await staged(definition, "neutral");
      const kept = { ...program, renewBefore: "10m" };
      expect(resource.check(kept)).toEqual([]);
      await resource.create(kept);
      expect(resource.preview(kept).changes).toEqual([]);
      world.now += HOUR - 600_001;
      expect(resource.preview(kept).changes).toEqual([]);
      world.now += 1;
      expect(resource.preview(kept)).toMatchObject({
        changes: [{ path: ["leaseEnds"], replaces: true }],
        deleteFirst: false,
        notes: [expect.stringContaining("cannot be renewed: new ones are issued, before these are ended")],
      });
    });

    test("wrapped keep the token, its accessor, path and end, and nothing of the credentials", async () => {
      const { world, resource } = await staged(definition);
      const wrapping = { ...program, wrapTtl: "5m" };
      expect(resource.check(wrapping)).toEqual([]);
      await resource.create(wrapping);
      expect(world.requests.at(-1)?.headers).toEqual({ "X-Vault-Wrap-TTL": "300s" });
      const { wrappingToken, wrappingEnds, wrappingPath, ...others } = resource.outputs;
      expect(wrappingPath).toMatch(/\/creds\/app$/);
      expect(wrappingEnds).toBe(new Date(world.now + 300_000).toISOString());
      for (const name of ["username", "password", "accessKey", "secretKey", "leaseId"])
        expect(others[name]).toBeUndefined();
      const unwrapped = await person(world, "sys/wrapping/unwrap", { token: wrappingToken });
      const { data } = unwrapped.json as { data: Record<string, string> };
      const secret = String(data.password ?? data.secret_key);
      expect(JSON.stringify(resource.outputs)).not.toContain(secret);
      expect(resource.preview(wrapping).changes).toEqual([]);
    });

    test("wrapped stay where somebody unwraps them, and a refresh says it", async () => {
      const { world, resource } = await staged(definition);
      const wrapping = { ...program, wrapTtl: "5m" };
      await resource.create(wrapping);
      const { outputs } = resource;
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([]);
      await person(world, "sys/wrapping/unwrap", { token: outputs.wrappingToken });
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([
        expect.stringContaining("its wrapping token is no more: somebody unwrapped it"),
      ]);
      expect(resource.outputs).toEqual(outputs);
      expect(resource.preview(wrapping).changes).toEqual([]);
      await resource.delete();
      expect(world.logged.at(-1)).toMatch(/its wrapping token is no more .*, so what was issued stays until/);
      expect(leases(world)).toHaveLength(1);
    });

    test("wrapped that nobody unwrapped are unwrapped by a delete, and their lease is revoked", async () => {
      const { world, resource } = await staged(definition);
      await resource.create({ ...program, wrapTtl: "5m" });
      const { wrappingToken } = resource.outputs;
      expect(leases(world)).toHaveLength(1);
      await resource.delete();
      expect(leases(world)).toEqual([]);
      expect((await person(world, "sys/wrapping/unwrap", { token: wrappingToken })).status).toBe(400);
      await resource.delete();
    });

    test("that a service does not wrap are not kept: only their lease is, for a delete", async () => {
      const { world, resource } = await staged(definition);
      world.taking = ({ headers: _, ...request }) => request;
      await expect(resource.create({ ...program, wrapTtl: "5m" })).rejects.toThrow("did not wrap them");
      for (const name of ["username", "password", "accessKey", "secretKey"])
        expect(resource.outputs[name]).toBeUndefined();
      expect(resource.record.procedure).not.toHaveProperty("password");
      world.taking = (request) => request;
      await resource.delete();
      expect(leases(world)).toEqual([]);
    });

    test("by the specification are wrapped by a header of its own", async () => {
      const { world, resource } = await staged(definition, "neutral");
      await resource.create({ ...program, wrapTtl: 300 });
      expect(world.requests.at(-1)?.headers).toEqual({ "X-Secrets-Wrap-TTL": "300s" });
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join()).toContain("only the clock tells of its wrapping token");
    });

    test("cannot be wrapped and renewed", async () => {
      const { resource } = await staged(definition);
      expect(resource.check({ ...program, wrapTtl: "5m", renewBefore: "1m" })).toMatchObject([
        { reason: expect.stringContaining("cannot go with wrapTtl") },
      ]);
    });
  },
);

describe("a lease that can be renewed", () => {
  const program = { name: "app", renewBefore: "10m" };

  async function near() {
    const { world, resource } = await staged(queueCredentials);
    await resource.create(program);
    world.now += HOUR - 300_000;
    return { world, resource };
  }

  test("is renewed by an up near its end, for as long as it was issued for; the credentials stay", async () => {
    const { world, resource } = await near();
    const { password, leaseId } = resource.outputs;
    expect(resource.preview(program)).toMatchObject({
      changes: [{ path: ["leaseEnds"], kind: "update", replaces: false }],
      notes: [expect.stringMatching(/its lease ends at .*, and is renewed/)],
    });
    expect(resource.plan(program, resource.outputs)).toMatchObject({ password, leaseId, leaseEnds: UNKNOWN });
    expect(await resource.up(program)).toBe(true);
    expect(world.requests.at(-1)).toMatchObject({
      path: "/v1/sys/leases/renew",
      body: { lease_id: leaseId, increment: 3600 },
    });
    expect(resource.outputs).toMatchObject({
      password,
      leaseId,
      leaseEnds: new Date(world.now + HOUR).toISOString(),
    });
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is told of by a refresh near its end, which renews nothing", async () => {
    const { world, resource } = await near();
    await resource.refresh();
    expect(world.logged).toEqual([expect.stringMatching(/^info: due at the next up: .* is renewed/)]);
    expect(world.requests.every(({ path }) => !path.endsWith("renew"))).toBe(true);
  });

  test("that somebody else has renewed is not due", async () => {
    const { world, resource } = await near();
    await person(world, "sys/leases/renew", { lease_id: resource.outputs.leaseId, increment: 3600 });
    await resource.refresh();
    expect(resource.outputs.leaseEnds).toBe(new Date(world.now + HOUR).toISOString());
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
  });

  test("that is not half over is not due, however long renewBefore is", async () => {
    const { world, resource } = await staged(queueCredentials);
    const long = { ...program, renewBefore: "30d" };
    await resource.create(long);
    expect(resource.preview(long).changes).toEqual([]);
    world.now += HOUR / 2 - 1;
    expect(resource.preview(long).changes).toEqual([]);
    world.now += 1;
    expect(resource.preview(long).changes).toHaveLength(1);
  });

  test("without renewBefore is left to its end", async () => {
    const { world, resource } = await staged(queueCredentials);
    await resource.create({ name: "app" });
    world.now += HOUR - 1;
    expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
  });

  test("at its max TTL is given what is left, which is told, and is not renewed again: new ones are issued", async () => {
    const { world, resource } = await staged(queueCredentials);
    await person(world, "msgq/config/lease", { ttl: 3600, max_ttl: 4200 });
    await resource.create(program);
    world.now += HOUR - 300_000;
    await resource.up(program);
    expect(resource.outputs.leaseEnds).toBe(new Date(world.now + 900_000).toISOString());
    expect(world.logged.join("\n")).toMatch(
      /the service warns: TTL of .*\n.*renewed for 900 seconds in place of 3600/s,
    );
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
    world.now += 450_000;
    expect(resource.preview(program)).toMatchObject({
      changes: [{ path: ["leaseEnds"], replaces: true }],
      deleteFirst: false,
      notes: [expect.stringContaining("cannot be renewed: new ones are issued")],
    });
    const old = resource;
    const replacement = new Resource(world, queueCredentials);
    await replacement.create(program);
    await old.delete();
    expect(leases(world)).toEqual([replacement.outputs.leaseId]);
  });

  test("whose renewal is refused for good is replaced by the next up", async () => {
    const { world, resource } = await near();
    world.fate = ({ path }) =>
      path.endsWith("renew")
        ? { answer: { status: 400, text: '{"errors":["lease is not renewable"]}' }, isCarriedOut: false }
        : "passes";
    const failure = await resource.up(program).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialError);
    expect(String(failure)).toContain("pulumi up again, which issues new ones");
    expect(resource.preview(program).changes.filter(({ replaces }) => replaces)).toHaveLength(1);
  });

  test("that was revoked meanwhile says so, and to refresh", async () => {
    const { world, resource } = await near();
    await person(world, "sys/leases/revoke", { lease_id: resource.outputs.leaseId });
    await expect(resource.up(program)).rejects.toThrow(
      /the service knows its lease no more.*pulumi refresh/s,
    );
    expect(await resource.refresh()).toBe(false);
  });

  test("that the token may not renew says so, and keeps what it has", async () => {
    const { world, resource } = await near();
    const { password } = resource.outputs;
    world.fate = ({ path }) =>
      path.endsWith("renew")
        ? { answer: { status: 403, text: '{"errors":["permission denied"]}' }, isCarriedOut: false }
        : "passes";
    await expect(resource.up(program)).rejects.toThrow(/sys\/leases\/renew answered 403/);
    expect(resource.outputs.password).toBe(password);
    world.fate = () => "passes";
    await resource.up(program);
    expect(resource.record.pending).toBeUndefined();
    expect(resource.outputs.leaseEnds).toBe(new Date(world.now + HOUR).toISOString());
  });

  test("whose renewal was carried out, and its answer lost, is looked up, and renewed once", async () => {
    const { world, resource } = await near();
    world.fate = ({ path }) => (path.endsWith("renew") ? "response lost" : "passes");
    await resource.up(program);
    expect(world.requests.filter(({ path }) => path.endsWith("renew"))).toHaveLength(1);
    expect(resource.outputs.leaseEnds).toBe(new Date(world.now + HOUR).toISOString());
  });

  test.each(MISHAPS)("whose renewal has its %s ends as one lease that the state knows", async (mishap) => {
    for (let at = 0; at < 3; at++) {
      const { world, resource } = await near();
      await inTrouble(resource, { at, mishap }, async () => void (await resource.up(program)));
      await resource.refresh();
      await resource.up(program);
      expect(resource.record.pending).toBeUndefined();
      expect(resource.preview(program).changes).toEqual([]);
      expect(leases(world)).toEqual([resource.outputs.leaseId]);
      expect(Date.parse(String(resource.outputs.leaseEnds))).toBeGreaterThanOrEqual(world.now + HOUR - 1000);
      await resource.delete();
      expect(leases(world)).toEqual([]);
    }
  });
});

describe("a wrapped answer", () => {
  const program = { name: "app", wrapTtl: "5m" };

  test.each(MISHAPS)("whose delete has its %s leaves no lease, or says what stays", async (mishap) => {
    for (let at = 0; at < 3; at++) {
      const { world, resource } = await staged(queueCredentials);
      await resource.create(program);
      await inTrouble(resource, { at, mishap }, () => resource.delete());
      await resource.delete();
      const isTold = world.logged.some((line) => line.includes("so what was issued stays until"));
      expect(leases(world).length === 0 || isTold).toBe(true);
    }
  });
});

test("credentials that were issued without a parameter are kept half made, and say what was ignored", async () => {
  const { world, resource } = await staged(cloudCredentials);
  const program = { name: "app", roleSessionName: "ci" };
  world.taking = ({ query: _, ...request }) => request;
  world.saying = (request, answer) =>
    request.path.includes("/creds/")
      ? {
          ...answer,
          json: {
            ...Object(answer.json),
            warnings: ["Endpoint ignored these unrecognized parameters: [role_session_name]"],
          },
        }
      : answer;
  const told = /issued without roleSessionName, which the service says that it ignored/;
  await expect(resource.create(program)).rejects.toThrow(told);
  expect(resource.outputs.secretKey).toBeDefined();
  await expect(resource.up(program)).rejects.toThrow(told);
  expect(leases(world)).toHaveLength(1);
  expect(resource.preview({ name: "app" }).changes.some(({ replaces }) => replaces)).toBe(true);
  await resource.delete();
  expect(leases(world)).toEqual([]);
});
