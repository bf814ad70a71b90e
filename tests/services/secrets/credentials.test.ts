import { PartialError } from "../../../provider/core/state/errors";
import { SecretMap } from "../../../provider/core/state/secretMap";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import functions from "../../../provider/services/secrets/functions";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { kinds, leases, staged } from "./credentialScene";
import { notesOfCreate } from "./scene";

describe.each(kinds.map(([definition, ...rest]) => [definition.token, definition, ...rest] as const))(
  "%s",
  (_, definition, program, members) => {
    test("are issued once, kept, and quiet from then on", async () => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      for (const name of members) expect(resource.outputs[name]).toBeDefined();
      expect(resource.outputs.leaseEnds).toBe(new Date(world.now + 3_600_000).toISOString());
      const { outputs } = resource;
      const sent = world.requests.length;
      expect(sent).toBe(1);
      expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
      expect(await resource.up(program)).toBe(false);
      expect(await resource.refresh()).toBe(true);
      expect(await resource.up({ ...program, timeouts: { read: 5 } })).toBe(true);
      for (const name of members) expect(resource.outputs[name]).toEqual(outputs[name]);
      expect(world.requests.slice(sent)).toMatchObject([{ path: "/v1/sys/leases/lookup", nature: "read" }]);
    });

    test("are issued anew for other triggers only, before the old ones are revoked", async () => {
      const { resource } = await staged(definition);
      await resource.create({ ...program, triggers: ["2030"] });
      expect(resource.preview({ ...program, triggers: ["2030"] }).changes).toEqual([]);
      expect(resource.preview({ ...program, triggers: ["2031"] })).toMatchObject({
        changes: [{ path: ["triggers"], replaces: true }],
        deleteFirst: false,
      });
    });

    test("are kept encrypted as a whole, and their lease too", () => {
      for (const name of [...members, "leaseId"])
        expect(new SecretMap(definition, program).holdsSecret([name], "x")).toBe(true);
    });

    test("that are deleted end with their lease, which is revoked by its id and waited for", async () => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
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

    test("by the specification, which has no request to revoke a lease, say what stays, and until when", async () => {
      const { world, resource } = await staged(definition, "neutral");
      await resource.create(program);
      const { leaseEnds } = resource.outputs;
      await resource.delete();
      expect(world.requests).toHaveLength(1);
      expect(world.logged).toEqual([
        `warning: it leaves the state only: the specification has no request that revokes a lease, so what was issued stays until ${String(leaseEnds)}`,
      ]);
    });

    test.each<Fate>(["request lost", "response lost"])(
      "whose %s are told as open, kept as half made, and never asked for again",
      async (fate) => {
        const { world, resource } = await staged(definition);
        world.fate = () => fate;
        await expect(resource.create(program)).rejects.toThrow(PartialError);
        world.fate = () => "passes";
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
        expect(resource.preview(again).changes.filter(({ replaces }) => replaces)).toHaveLength(1);
        const replacement = new Resource(world, definition);
        await replacement.create(again);
        await resource.delete();
        expect(world.logged.join("\n")).toContain(
          "what may have been issued stays until the service ends it",
        );
        expect(replacement.preview(again).changes).toEqual([]);
      },
    );

    test("that a success does not hold are open too, and their lease is revoked by a delete", async () => {
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

    test.each<Fate>(["request lost", "response lost"])(
      "whose revocation has its %s are looked up: revoked is revoked, else a delete fails and can be repeated",
      async (fate) => {
        const { world, resource } = await staged(definition);
        await resource.create(program);
        world.fate = ({ path }) => (path.endsWith("revoke") ? fate : "passes");
        if (fate === "response lost") await resource.delete();
        else await expect(resource.delete()).rejects.toThrow("lost its connection");
        world.fate = () => "passes";
        await resource.delete();
        expect(leases(world)).toEqual([]);
      },
    );

    test.each([
      [403, '{"errors":["permission denied"]}'],
      [400, '{"errors":["not now"]}'],
      [404, '{"errors":["invalid lease"]}'],
    ])("whose revocation was lost are not taken for revoked by a %d to the look-up", async (status, text) => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      world.fate = ({ path }) => {
        if (path.endsWith("revoke")) return "request lost";
        return path.endsWith("lookup") ? { answer: { status, text }, isCarriedOut: false } : "passes";
      };
      await expect(resource.delete()).rejects.toThrow("lost its connection");
      expect(leases(world)).toHaveLength(1);
    });

    test("whose token may not revoke say so, and stay in the state", async () => {
      const { world, resource } = await staged(definition);
      await resource.create(program);
      world.afterwards = ({ path }, answer) => {
        if (path.endsWith("revoke"))
          Object.assign(answer, { status: 403, text: '{"errors":["permission denied"]}' });
      };
      await expect(resource.delete()).rejects.toThrow(/sys\/leases\/revoke answered 403/);
    });

    test("whose lease has ended by the clock alone stay, and a refresh says it", async () => {
      const { world, resource } = await staged(definition, "neutral");
      await resource.create(program);
      world.now += 3_600_000;
      expect(resource.preview(program).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join("\n")).toMatch(/the lease of these credentials ended at .*change triggers/);
      await resource.delete();
    });

    test("that the service refuses leave nothing in the state", async () => {
      const { resource } = await staged(definition);
      const none = Object.fromEntries(Object.keys(program).map((name) => [name, "none"]));
      // The real directory engine answers 404 for a role that it does not know, the others 400.
      await expect(resource.create(none)).rejects.toThrow(/answered 40[04]/);
      expect(resource.id).toBe("");
    });
  },
);

describe("cloud credentials", () => {
  test("carry their parameters to the endpoint that is asked for, and are others for others", async () => {
    const { world, resource } = await staged(cloudCredentials);
    const program = { name: "app", endpoint: "sts", roleSessionName: "ci", ttl: "15m" };
    await resource.create(program);
    expect(world.requests).toMatchObject([
      { method: "POST", path: "/v1/cloud/sts/app", body: { role_session_name: "ci", ttl: "900s" } },
    ]);
    expect(resource.preview({ ...program, ttl: 900 }).changes).toEqual([]);
    expect(resource.preview({ ...program, ttl: "1h" }).changes).toMatchObject([{ replaces: true }]);
  });

  test("take an empty parameter for one that is not given", async () => {
    const { world, resource } = await staged(cloudCredentials);
    const empty = { roleArn: "", roleSessionName: "", mfaCode: "", ttl: "" };
    expect(resource.check({ name: "app", ...empty })).toEqual([]);
    await resource.create({ name: "app", endpoint: "sts", ...empty });
    expect(world.requests[0]?.body ?? {}).toEqual({});
  });

  test("ask for nothing new by another MFA code, which is good for one request", async () => {
    const { world, resource } = await staged(cloudCredentials);
    await resource.create({ name: "app", mfaCode: "123456" });
    expect(resource.preview({ name: "app", mfaCode: "654321" }).changes).not.toContainEqual(
      expect.objectContaining({ replaces: true }),
    );
    await resource.up({ name: "app", mfaCode: "654321" });
    expect(world.requests).toHaveLength(1);
  });

  test("say in the preview that a long session name will be cut", () => {
    expect(notesOfCreate(cloudCredentials, { name: "app", roleSessionName: "x".repeat(65) })).toEqual([
      "roleSessionName has 65 characters; the service cuts it after 64",
    ]);
  });
});

test("every function that would make something names the resource that makes it", () => {
  const makers = Object.values(functions).filter(({ replaced }) => replaced !== undefined);
  expect(makers.map(({ token, replaced }) => [token, replaced?.by])).toEqual([
    ["secrets:getQueueCredentials", "QueueCredentials"],
    ["secrets:getCloudCredentials", "CloudCredentials"],
    ["secrets:getDirectoryCredentials", "DirectoryCredentials"],
  ]);
});
