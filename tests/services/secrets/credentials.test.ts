import { PartialError } from "../../../provider/core/state/errors";
import { SecretMap } from "../../../provider/core/state/secretMap";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import functions from "../../../provider/services/secrets/functions";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { notesOfCreate, replacedBy } from "../expectations";
import { letPass, refusal, setFate } from "../interference";
import { DENIED, HOUR, issued, kinds, leases, staged, write } from "./credentialScene";
import { inTrouble, MISHAPS } from "./mishaps";

describe.each(kinds.map(([definition, ...rest]) => [definition.token, definition, ...rest] as const))(
  "%s",
  (_, definition, program, members) => {
    test("issues credentials once, and shows no changes afterwards", async () => {
      const { world, resource } = await issued(definition, program);
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

    test("is replaced only when triggers change, before the old credentials are revoked", async () => {
      const { resource } = await issued(definition, { ...program, triggers: ["2030"] });
      expect(resource.preview({ ...program, triggers: ["2030"] }).changes).toEqual([]);
      expect(resource.preview({ ...program, triggers: ["2031"] })).toMatchObject({
        changes: [{ path: ["triggers"], replaces: true }],
        deleteFirst: false,
      });
    });

    test("keeps every output secret", () => {
      for (const name of [...members, "leaseId"])
        expect(new SecretMap(definition, program).holdsSecret([name], "x")).toBe(true);
    });

    test("that the server refuses leaves nothing in the state", async () => {
      const { resource } = await staged(definition);
      const none = Object.fromEntries(Object.keys(program).map((name) => [name, "none"]));
      // The real directory engine answers 404 for an unknown role, the others 400.
      await expect(resource.create(none)).rejects.toThrow(/answered 40[04]/);
      expect(resource.id).toBe("");
    });

    test.each<Fate>(["request lost", "response lost"])(
      "whose create has its %s is partial, and never repeats it",
      async (fate) => {
        const { world, resource } = await staged(definition);
        world.fate = () => fate;
        await expect(resource.create(program)).rejects.toThrow(PartialError);
        letPass(world);
        expect(resource.id).not.toBe("");
        const open =
          /it is open whether credentials were issued: .*Next: change triggers to have new ones issued/s;
        for (let ups = 0; ups < 2; ups++) {
          expect(resource.preview(program).notes).toEqual([expect.stringMatching(open)]);
          await expect(resource.up(program)).rejects.toThrow(open);
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
          "what may have been issued stays until the service ends it",
        );
        expect(replacement.preview(again).changes).toEqual([]);
      },
    );

    test("without credentials in a 200 is partial, and a delete revokes the lease", async () => {
      const { world, resource } = await staged(definition);
      world.afterwards = ({ path }, answer) => {
        if (path.includes("/creds/")) Object.assign(Object(answer.json), { data: {} });
      };
      await expect(resource.create(program)).rejects.toThrow(/the service answered 200, without/);
      await expect(resource.up(program)).rejects.toThrow("it is open whether credentials were issued");
      expect(world.requests).toHaveLength(1);
      await resource.delete();
      expect(leases(world)).toEqual([]);
    });

    test("revokes its lease in a delete, by its id, and waits for that", async () => {
      const { world, resource } = await issued(definition, program);
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

    test("has no request for a delete by the specification, and logs how long the credentials stay", async () => {
      const { world, resource } = await issued(definition, program, "neutral");
      const { leaseEnds } = resource.outputs;
      await resource.delete();
      expect(world.requests).toHaveLength(1);
      expect(world.logged).toEqual([
        `warning: it leaves the state only: the specification has no request that revokes a lease, so what was issued stays until ${String(leaseEnds)}`,
      ]);
    });

    test.each<Fate>(["request lost", "response lost"])(
      "looks its lease up after a revocation with its %s",
      async (fate) => {
        const { world, resource } = await issued(definition, program);
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
    ])("is not revoked if that look-up is answered %d %s", async (status, text) => {
      const { world, resource } = await issued(definition, program);
      world.fate = ({ path }) => {
        if (path.endsWith("revoke")) return "request lost";
        return path.endsWith("lookup") ? refusal(status, text) : "passes";
      };
      await expect(resource.delete()).rejects.toThrow("lost its connection");
      expect(leases(world)).toHaveLength(1);
    });

    test("fails a delete whose token may not revoke", async () => {
      const { world, resource } = await issued(definition, program);
      world.afterwards = ({ path }, answer) => {
        if (path.endsWith("revoke")) Object.assign(answer, { status: 403, text: DENIED });
      };
      await expect(resource.delete()).rejects.toThrow(/sys\/leases\/revoke answered 403/);
    });

    test("is deleted for a refresh after its lease was revoked, and issued again", async () => {
      const { world, resource } = await issued(definition, program);
      await write(world, "sys/leases/revoke", { lease_id: resource.outputs.leaseId });
      expect(await resource.refresh()).toBe(false);
      expect(world.logged.join()).toContain("the service knows its lease no more");
      const next = new Resource(world, definition);
      await next.create(program);
      expect(leases(world)).toEqual([next.outputs.leaseId]);
    });

    test("is deleted for a refresh after its lease ended", async () => {
      const { world, resource } = await issued(definition, program);
      world.now += HOUR;
      expect(await resource.refresh()).toBe(false);
    });

    test("whose token may not look leases up relies on the clock, with a warning", async () => {
      const { world, resource } = await issued(definition, program);
      setFate(world, /lookup$/, refusal(403, DENIED));
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.at(-1)).toMatch(/^warning: only the clock tells of its lease, which ends at /);
      world.now += HOUR;
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.at(-1)).toContain("this token may not look leases up");
      expect(world.logged.at(-1)).toContain("change triggers");
    });

    test.each([
      [503, '{"errors":["sealed"]}'],
      [400, '{"errors":["not now"]}'],
      [404, '{"errors":["invalid lease"]}'],
      [200, '{"data":{"id":"another","ttl":60}}'],
    ])("keeps its state if a refresh is answered %d %s", async (status, text) => {
      const { world, resource } = await issued(definition, program);
      const { outputs } = resource;
      world.fate = () => refusal(status, text);
      await expect(resource.refresh()).rejects.toThrow(/leases\/lookup/);
      expect(resource.outputs).toEqual(outputs);
    });

    test("relies on the clock by the specification, also after the lease ended", async () => {
      const { world, resource } = await issued(definition, program, "neutral");
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([expect.stringMatching(/^info: only the clock tells .* no request/)]);
      expect(world.requests).toHaveLength(1);
      world.now += HOUR;
      expect(resource.preview(program).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join("\n")).toMatch(/the lease of these credentials ended at .*change triggers/);
      await resource.delete();
    });

    test("that cannot be renewed is replaced renewBefore its end, before the old credentials are revoked", async () => {
      const renewed = { ...program, renewBefore: "10m" };
      const { world, resource } = await issued(definition, renewed, "neutral");
      expect(resource.check(renewed)).toEqual([]);
      expect(resource.preview(renewed).changes).toEqual([]);
      world.now += HOUR - 600_001;
      expect(resource.preview(renewed).changes).toEqual([]);
      world.now += 1;
      expect(resource.preview(renewed)).toMatchObject({
        changes: [{ path: ["leaseEnds"], replaces: true }],
        deleteFirst: false,
        notes: [expect.stringContaining("cannot be renewed: new ones are issued, before these are ended")],
      });
    });

    describe("with wrapTtl", () => {
      const wrapping = { ...program, wrapTtl: "5m" };

      test("outputs the wrapping token, its path and its end, and no credentials", async () => {
        const { world, resource } = await issued(definition, wrapping);
        expect(resource.check(wrapping)).toEqual([]);
        expect(world.requests.at(-1)?.headers).toEqual({ "X-Vault-Wrap-TTL": "300s" });
        const { wrappingToken, wrappingEnds, wrappingPath, ...others } = resource.outputs;
        expect(wrappingPath).toMatch(/\/creds\/app$/);
        expect(wrappingEnds).toBe(new Date(world.now + 300_000).toISOString());
        for (const name of ["username", "password", "accessKey", "secretKey", "leaseId"])
          expect(others[name]).toBeUndefined();
        const unwrapped = await write(world, "sys/wrapping/unwrap", { token: wrappingToken });
        const { data } = unwrapped.json as { data: Record<string, string> };
        expect(JSON.stringify(resource.outputs)).not.toContain(String(data.password ?? data.secret_key));
        expect(resource.preview(wrapping).changes).toEqual([]);
      });

      test("stays in the state after someone unwrapped it, and a refresh logs that", async () => {
        const { world, resource } = await issued(definition, wrapping);
        const { outputs } = resource;
        expect(await resource.refresh()).toBe(true);
        expect(world.logged).toEqual([]);
        await write(world, "sys/wrapping/unwrap", { token: outputs.wrappingToken });
        expect(await resource.refresh()).toBe(true);
        const message = "its wrapping token is no more: somebody unwrapped it";
        expect(world.logged).toEqual([expect.stringContaining(message)]);
        expect(resource.outputs).toEqual(outputs);
        expect(resource.preview(wrapping).changes).toEqual([]);
        await resource.delete();
        expect(world.logged.at(-1)).toMatch(
          /its wrapping token is no more .*, so what was issued stays until/,
        );
        expect(leases(world)).toHaveLength(1);
      });

      test("is unwrapped and revoked by a delete if no one unwrapped it", async () => {
        const { world, resource } = await issued(definition, wrapping);
        const { wrappingToken } = resource.outputs;
        expect(leases(world)).toHaveLength(1);
        await resource.delete();
        expect(leases(world)).toEqual([]);
        expect((await write(world, "sys/wrapping/unwrap", { token: wrappingToken })).status).toBe(400);
        await resource.delete();
      });

      test("stores only the lease if the server does not wrap", async () => {
        const { world, resource } = await staged(definition);
        world.taking = ({ headers: _, ...request }) => request;
        await expect(resource.create(wrapping)).rejects.toThrow("did not wrap them");
        for (const name of ["username", "password", "accessKey", "secretKey"])
          expect(resource.outputs[name]).toBeUndefined();
        expect(resource.record.procedure).not.toHaveProperty("password");
        world.taking = (request) => request;
        await resource.delete();
        expect(leases(world)).toEqual([]);
      });

      test("sends the specification's header, and relies on the clock", async () => {
        const { world, resource } = await issued(definition, { ...program, wrapTtl: 300 }, "neutral");
        expect(world.requests.at(-1)?.headers).toEqual({ "X-Secrets-Wrap-TTL": "300s" });
        expect(await resource.refresh()).toBe(true);
        expect(world.logged.join()).toContain("only the clock tells of its wrapping token");
      });

      test("excludes renewBefore", async () => {
        const { resource } = await staged(definition);
        expect(resource.check({ ...wrapping, renewBefore: "1m" })).toMatchObject([
          { reason: expect.stringContaining("cannot go with wrapTtl") },
        ]);
      });
    });
  },
);

test.each(MISHAPS)(
  "a delete of wrapped credentials with its %s leaves no lease, or logs that",
  async (mishap) => {
    for (let at = 0; at < 3; at++) {
      const { world, resource } = await issued(queueCredentials, { name: "app", wrapTtl: "5m" });
      await inTrouble(resource, { at, mishap }, () => resource.delete());
      await resource.delete();
      const isTold = world.logged.some((line) => line.includes("so what was issued stays until"));
      expect(leases(world).length === 0 || isTold).toBe(true);
    }
  },
);

describe("cloud credentials", () => {
  test("send their parameters to the endpoint, and are replaced when these change", async () => {
    const program = { name: "app", endpoint: "sts", roleSessionName: "ci", ttl: "15m" };
    const { world, resource } = await issued(cloudCredentials, program);
    expect(world.requests).toMatchObject([
      { method: "POST", path: "/v1/cloud/sts/app", body: { role_session_name: "ci", ttl: "900s" } },
    ]);
    expect(resource.preview({ ...program, ttl: 900 }).changes).toEqual([]);
    expect(resource.preview({ ...program, ttl: "1h" }).changes).toMatchObject([{ replaces: true }]);
  });

  test("do not send empty parameters", async () => {
    const empty = { name: "app", endpoint: "sts", roleArn: "", roleSessionName: "", mfaCode: "", ttl: "" };
    const { world, resource } = await staged(cloudCredentials);
    const { endpoint: _, ...parameters } = empty;
    expect(resource.check(parameters)).toEqual([]);
    await resource.create(empty);
    expect(world.requests[0]?.body ?? {}).toEqual({});
  });

  test("are not replaced by another MFA code", async () => {
    const { world, resource } = await issued(cloudCredentials, { name: "app", mfaCode: "123456" });
    expect(replacedBy(resource, { name: "app", mfaCode: "654321" })).toEqual([]);
    await resource.up({ name: "app", mfaCode: "654321" });
    expect(world.requests).toHaveLength(1);
  });

  test("have a note that the server cuts a long session name", () => {
    expect(notesOfCreate(cloudCredentials, { name: "app", roleSessionName: "x".repeat(65) })).toEqual([
      "roleSessionName has 65 characters; the service cuts it after 64",
    ]);
  });

  test("that the server issued without a parameter are partial, with the parameter in the error", async () => {
    const { world, resource } = await staged(cloudCredentials);
    const program = { name: "app", roleSessionName: "ci" };
    const warnings = ["Endpoint ignored these unrecognized parameters: [role_session_name]"];
    world.taking = ({ query: _, ...request }) => request;
    world.saying = ({ path }, answer) =>
      path.includes("/creds/") ? { ...answer, json: { ...Object(answer.json), warnings } } : answer;
    const told = /issued without roleSessionName, which the service says that it ignored/;
    await expect(resource.create(program)).rejects.toThrow(told);
    expect(resource.outputs.secretKey).toBeDefined();
    await expect(resource.up(program)).rejects.toThrow(told);
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
