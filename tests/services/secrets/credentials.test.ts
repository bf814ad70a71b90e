import { PartialError } from "../../../provider/core/state/errors";
import { SecretMap } from "../../../provider/core/state/secretMap";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import functions from "../../../provider/services/secrets/functions";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { notesOfCreate, replacedBy } from "../expectations";
import { letPass, refusal, setFate } from "../interference";
import { DENIED, HOUR, issue, kinds, leases, setUp, write } from "./credentialScene";
import { FAULTS, withFault } from "./faults";

describe.each(kinds.map(([definition, ...rest]) => [definition.token, definition, ...rest] as const))(
  "%s",
  (_, definition, program, members) => {
    test("issues credentials once, and shows no changes afterward", async () => {
      const { world, resource } = await issue(definition, program);
      for (const name of members) expect(resource.outputs[name]).toBeDefined();
      expect(resource.outputs.leaseEnds).toBe(new Date(world.now + HOUR).toISOString());
      const { outputs } = resource;
      expect(world.requests).toHaveLength(1);
      expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
      expect(await resource.up(program)).toBe(false);
      expect(await resource.refresh()).toBe(true);
      expect(await resource.up({ ...program, timeouts: { read: 5 } })).toBe(true);
      for (const name of members) expect(resource.outputs[name]).toEqual(outputs[name]);
      expect(world.requests.slice(1)).toMatchObject([{ path: "/v1/sys/leases/lookup", nature: "read" }]);
    });

    test("is replaced only if triggers change, and the replacement is created before the delete", async () => {
      const { resource } = await issue(definition, { ...program, triggers: ["2030"] });
      expect(resource.preview({ ...program, triggers: ["2030"] }).changes).toEqual([]);
      expect(resource.preview({ ...program, triggers: ["2031"] })).toMatchObject({
        changes: [{ path: ["triggers"], replaces: true }],
        deleteFirst: false,
      });
    });

    test("marks every credential output as secret", () => {
      for (const name of [...members, "leaseId"])
        expect(new SecretMap(definition, program).holdsSecret([name], "x")).toBe(true);
    });

    test("stores nothing in the state if the server rejects the request", async () => {
      const { resource } = await setUp(definition);
      const none = Object.fromEntries(Object.keys(program).map((name) => [name, "none"]));
      // The real LDAP engine returns 404 for an unknown role, the other engines return 400.
      await expect(resource.create(none)).rejects.toThrow(/returned 40[04]/);
      expect(resource.id).toBe("");
    });

    test.each<Fate>(["request lost", "response lost"])(
      "is partially created after a fault (%s), and later ups do not repeat the request",
      async (fate) => {
        const { world, resource } = await setUp(definition);
        world.fate = () => fate;
        await expect(resource.create(program)).rejects.toThrow(PartialError);
        letPass(world);
        expect(resource.id).not.toBe("");
        const unknownOutcome =
          /it is unknown whether credentials were issued: .*Next: change triggers to issue new credentials/s;
        for (let ups = 0; ups < 2; ups++) {
          expect(resource.preview(program).notes).toEqual([expect.stringMatching(unknownOutcome)]);
          await expect(resource.up(program)).rejects.toThrow(unknownOutcome);
        }
        expect(await resource.refresh()).toBe(true);
        expect(world.requests).toHaveLength(1);
        expect(leases(world)).toHaveLength(fate === "response lost" ? 1 : 0);
        const again = { ...program, triggers: ["again"] };
        expect(replacedBy(resource, again)).toHaveLength(1);
        const replacement = new Resource(world, definition);
        await replacement.create(again);
        await resource.delete();
        expect(world.logged.join("\n")).toContain(
          "credentials that may have been issued remain valid until the server ends them",
        );
        expect(replacement.preview(again).changes).toEqual([]);
      },
    );

    test("is partially created if a 200 contains no credentials, and a delete revokes the lease", async () => {
      const { world, resource } = await setUp(definition);
      world.onResponse = ({ path }, answer) => {
        if (path.includes("/creds/")) Object.assign(Object(answer.json), { data: {} });
      };
      await expect(resource.create(program)).rejects.toThrow(/the server returned 200 without/);
      await expect(resource.up(program)).rejects.toThrow("it is unknown whether credentials were issued");
      expect(world.requests).toHaveLength(1);
      await resource.delete();
      expect(leases(world)).toEqual([]);
    });

    test("a delete revokes the lease synchronously by its ID", async () => {
      const { world, resource } = await issue(definition, program);
      const { leaseId } = resource.outputs;
      expect(leases(world)).toEqual([leaseId]);
      await resource.delete();
      expect(world.requests.at(-1)).toMatchObject({
        method: "POST",
        path: "/v1/sys/leases/revoke",
        body: { lease_id: leaseId, sync: true },
      });
      expect(leases(world)).toEqual([]);
      await resource.delete();
    });

    test("a delete sends no request in the neutral dialect, and logs how long the credentials stay valid", async () => {
      const { world, resource } = await issue(definition, program, "neutral");
      const { leaseEnds } = resource.outputs;
      await resource.delete();
      expect(world.requests).toHaveLength(1);
      expect(world.logged).toEqual([
        `warning: removed from the state only: the neutral dialect cannot revoke leases, so the issued credentials remain valid until ${String(leaseEnds)}`,
      ]);
    });

    test.each<Fate>(["request lost", "response lost"])(
      "looks up its lease after a fault in the revocation (%s)",
      async (fate) => {
        const { world, resource } = await issue(definition, program);
        setFate(world, /revoke$/, fate);
        if (fate === "response lost") await resource.delete();
        else await expect(resource.delete()).rejects.toThrow("lost its connection");
        letPass(world);
        await resource.delete();
        expect(leases(world)).toEqual([]);
      },
    );

    test.each([
      [403, DENIED],
      [400, '{"errors":["not now"]}'],
      [404, '{"errors":["invalid lease"]}'],
    ])("a delete fails if the look-up after a lost revocation returns %d %s", async (status, text) => {
      const { world, resource } = await issue(definition, program);
      world.fate = ({ path }) => {
        if (path.endsWith("revoke")) return "request lost";
        return path.endsWith("lookup") ? refusal(status, text) : "passes";
      };
      await expect(resource.delete()).rejects.toThrow("lost its connection");
      expect(leases(world)).toHaveLength(1);
    });

    test("a delete fails if the token may not revoke leases", async () => {
      const { world, resource } = await issue(definition, program);
      world.onResponse = ({ path }, answer) => {
        if (path.endsWith("revoke")) Object.assign(answer, { status: 403, text: DENIED });
      };
      await expect(resource.delete()).rejects.toThrow(/sys\/leases\/revoke returned 403/);
    });

    test("a refresh removes it from the state after a revocation, and the next create issues new credentials", async () => {
      const { world, resource } = await issue(definition, program);
      await write(world, "sys/leases/revoke", { lease_id: resource.outputs.leaseId });
      expect(await resource.refresh()).toBe(false);
      expect(world.logged.join()).toContain("the lease no longer exists on the server");
      const next = new Resource(world, definition);
      await next.create(program);
      expect(leases(world)).toEqual([next.outputs.leaseId]);
    });

    test("a refresh removes it from the state after its lease has expired", async () => {
      const { world, resource } = await issue(definition, program);
      world.now += HOUR;
      expect(await resource.refresh()).toBe(false);
    });

    test("relies on the clock, with a warning, if the token may not look up leases", async () => {
      const { world, resource } = await issue(definition, program);
      setFate(world, /lookup$/, refusal(403, DENIED));
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.at(-1)).toMatch(/^warning: .*; by this machine.s clock, the lease ends at /);
      world.now += HOUR;
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.at(-1)).toContain("the token lacks permission to look leases up");
      expect(world.logged.at(-1)).toContain("change triggers");
    });

    test.each([
      [503, '{"errors":["sealed"]}'],
      [400, '{"errors":["not now"]}'],
      [404, '{"errors":["invalid lease"]}'],
      [200, '{"data":{"id":"another","ttl":60}}'],
    ])("a refresh that is answered with %d %s fails and preserves the state", async (status, text) => {
      const { world, resource } = await issue(definition, program);
      const { outputs } = resource;
      world.fate = () => refusal(status, text);
      await expect(resource.refresh()).rejects.toThrow(/leases\/lookup/);
      expect(resource.outputs).toEqual(outputs);
    });

    test("relies on the clock in the neutral dialect, also after the lease has expired", async () => {
      const { world, resource } = await issue(definition, program, "neutral");
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([
        expect.stringMatching(/^info: .*cannot look leases up; by this machine.s clock, /),
      ]);
      expect(world.requests).toHaveLength(1);
      world.now += HOUR;
      expect(resource.preview(program).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join("\n")).toMatch(/the lease of these credentials ended at .*change triggers/);
      await resource.delete();
    });

    test("is replaced when renewBefore is due if it cannot be renewed, before the old credentials are revoked", async () => {
      const renewed = { ...program, renewBefore: "10m" };
      const { world, resource } = await issue(definition, renewed, "neutral");
      expect(resource.check(renewed)).toEqual([]);
      expect(resource.preview(renewed).changes).toEqual([]);
      world.now += HOUR - 600_001;
      expect(resource.preview(renewed).changes).toEqual([]);
      world.now += 1;
      expect(resource.preview(renewed)).toMatchObject({
        changes: [{ path: ["leaseEnds"], replaces: true }],
        deleteFirst: false,
        notes: [
          expect.stringContaining(
            "cannot be renewed: the next pulumi up issues new credentials and then revokes the current ones",
          ),
        ],
      });
    });

    describe("with wrapTtl", () => {
      const wrapping = { ...program, wrapTtl: "5m" };

      test("outputs the wrapping token, its path and its expiry, and no credentials", async () => {
        const { world, resource } = await issue(definition, wrapping);
        expect(resource.check(wrapping)).toEqual([]);
        expect(world.requests.at(-1)?.headers).toEqual({ "X-Vault-Wrap-TTL": "300s" });
        const { wrappingToken, wrappingEnds, wrappingPath, ...otherOutputs } = resource.outputs;
        expect(wrappingPath).toMatch(/\/creds\/app$/);
        expect(wrappingEnds).toBe(new Date(world.now + 300_000).toISOString());
        for (const name of ["username", "password", "accessKey", "secretKey", "leaseId"])
          expect(otherOutputs[name]).toBeUndefined();
        const unwrapped = await write(world, "sys/wrapping/unwrap", { token: wrappingToken });
        const { data } = unwrapped.json as { data: Record<string, string> };
        expect(JSON.stringify(resource.outputs)).not.toContain(String(data.password ?? data.secret_key));
        expect(resource.preview(wrapping).changes).toEqual([]);
      });

      test("stays in the state after someone unwrapped it, and a refresh logs that", async () => {
        const { world, resource } = await issue(definition, wrapping);
        const { outputs } = resource;
        expect(await resource.refresh()).toBe(true);
        expect(world.logged).toEqual([]);
        await write(world, "sys/wrapping/unwrap", { token: outputs.wrappingToken });
        expect(await resource.refresh()).toBe(true);
        const message = "the wrapping token no longer exists: someone unwrapped it";
        expect(world.logged).toEqual([expect.stringContaining(message)]);
        expect(resource.outputs).toEqual(outputs);
        expect(resource.preview(wrapping).changes).toEqual([]);
        await resource.delete();
        expect(world.logged.at(-1)).toMatch(
          /the wrapping token no longer exists .*, so the issued credentials remain valid until/,
        );
        expect(leases(world)).toHaveLength(1);
      });

      test("is unwrapped and revoked by a delete if no one unwrapped it", async () => {
        const { world, resource } = await issue(definition, wrapping);
        const { wrappingToken } = resource.outputs;
        expect(leases(world)).toHaveLength(1);
        await resource.delete();
        expect(leases(world)).toEqual([]);
        expect((await write(world, "sys/wrapping/unwrap", { token: wrappingToken })).status).toBe(400);
        await resource.delete();
      });

      test("stores only the lease if the server does not wrap the response", async () => {
        const { world, resource } = await setUp(definition);
        world.transformRequest = ({ headers: _, ...request }) => request;
        await expect(resource.create(wrapping)).rejects.toThrow("an unwrapped response, which is not stored");
        for (const name of ["username", "password", "accessKey", "secretKey"])
          expect(resource.outputs[name]).toBeUndefined();
        expect(resource.record.procedure).not.toHaveProperty("password");
        world.transformRequest = (request) => request;
        await resource.delete();
        expect(leases(world)).toEqual([]);
      });

      test("sends the header of the neutral dialect, and relies on the clock", async () => {
        const { world, resource } = await issue(definition, { ...program, wrapTtl: 300 }, "neutral");
        expect(world.requests.at(-1)?.headers).toEqual({ "X-Secrets-Wrap-TTL": "300s" });
        expect(await resource.refresh()).toBe(true);
        expect(world.logged.join()).toContain("by this machine's clock, the wrapping token expires");
      });

      test("rejects renewBefore", async () => {
        const { resource } = await setUp(definition);
        expect(resource.check({ ...wrapping, renewBefore: "1m" })).toMatchObject([
          { reason: expect.stringContaining("cannot be combined with wrapTtl") },
        ]);
      });
    });
  },
);

test.each(FAULTS)(
  "a delete of wrapped credentials with one fault (%s) leaves no lease, or logs that it stays",
  async (fault) => {
    for (let at = 0; at < 3; at++) {
      const { world, resource } = await issue(queueCredentials, { name: "app", wrapTtl: "5m" });
      await withFault(resource, { at, fault }, () => resource.delete());
      await resource.delete();
      const isReported = world.logged.some((line) =>
        line.includes("so the issued credentials remain valid until"),
      );
      expect(leases(world).length === 0 || isReported).toBe(true);
    }
  },
);

describe("AWS credentials", () => {
  test("send their parameters to the chosen endpoint, and are replaced if these change", async () => {
    const program = { name: "app", endpoint: "sts", roleSessionName: "ci", ttl: "15m" };
    const { world, resource } = await issue(cloudCredentials, program);
    expect(world.requests).toMatchObject([
      { method: "POST", path: "/v1/cloud/sts/app", body: { role_session_name: "ci", ttl: "900s" } },
    ]);
    expect(resource.preview({ ...program, ttl: 900 }).changes).toEqual([]);
    expect(resource.preview({ ...program, ttl: "1h" }).changes).toMatchObject([{ replaces: true }]);
  });

  test("do not send empty parameters", async () => {
    const empty = { name: "app", endpoint: "sts", roleArn: "", roleSessionName: "", mfaCode: "", ttl: "" };
    const { world, resource } = await setUp(cloudCredentials);
    const { endpoint: _, ...parameters } = empty;
    expect(resource.check(parameters)).toEqual([]);
    await resource.create(empty);
    expect(world.requests[0]?.body ?? {}).toEqual({});
  });

  test("are not replaced if mfaCode changes", async () => {
    const { world, resource } = await issue(cloudCredentials, { name: "app", mfaCode: "123456" });
    expect(replacedBy(resource, { name: "app", mfaCode: "654321" })).toEqual([]);
    await resource.up({ name: "app", mfaCode: "654321" });
    expect(world.requests).toHaveLength(1);
  });

  test("have a note that the server truncates a long roleSessionName", () => {
    expect(notesOfCreate(cloudCredentials, { name: "app", roleSessionName: "x".repeat(65) })).toEqual([
      "roleSessionName has 65 characters; the server truncates it to 64",
    ]);
  });

  test("are partially created if the server ignored a parameter, which the error names", async () => {
    const { world, resource } = await setUp(cloudCredentials);
    const program = { name: "app", roleSessionName: "ci" };
    const warnings = ["Endpoint ignored these unrecognized parameters: [role_session_name]"];
    world.transformRequest = ({ query: _, ...request }) => request;
    world.transformResponse = ({ path }, answer) =>
      path.includes("/creds/") ? { ...answer, json: { ...Object(answer.json), warnings } } : answer;
    const message = /issued without roleSessionName: the server ignored that input/;
    await expect(resource.create(program)).rejects.toThrow(message);
    expect(resource.outputs.secretKey).toBeDefined();
    await expect(resource.up(program)).rejects.toThrow(message);
    expect(leases(world)).toHaveLength(1);
    expect(replacedBy(resource, { name: "app" })).not.toEqual([]);
    await resource.delete();
    expect(leases(world)).toEqual([]);
  });
});

test("every function that would issue credentials names the resource that issues them", () => {
  const makers = Object.values(functions).filter(({ replaced }) => replaced !== undefined);
  expect(makers.map(({ token, replaced }) => [token, replaced?.by])).toEqual([
    ["secrets:getQueueCredentials", "QueueCredentials"],
    ["secrets:getCloudCredentials", "CloudCredentials"],
    ["secrets:getDirectoryCredentials", "DirectoryCredentials"],
  ]);
});
