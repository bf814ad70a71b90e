import { PartialError } from "../../../provider/core/state/errors";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { replacedBy } from "../expectations";
import { letPass, refusal, setFate } from "../interference";
import { DENIED, HOUR, issue, leases, setUp, write } from "./credentialScene";
import { FAULTS, withFault } from "./faults";

describe("renewable lease of credentials", () => {
  const program = { name: "app", renewBefore: "10m" };

  async function nearEnd() {
    const all = await issue(queueCredentials, program);
    all.world.now += HOUR - 300_000;
    return all;
  }
  const inAnHour = ({ now }: World) => new Date(now + HOUR).toISOString();
  const renewals = ({ requests }: World) => requests.filter(({ path }) => path.endsWith("renew"));

  test("an up near its expiry renews it for its original duration and preserves the credentials", async () => {
    const { world, resource } = await nearEnd();
    const { password, leaseId } = resource.outputs;
    expect(resource.preview(program)).toMatchObject({
      changes: [{ path: ["leaseEnds"], kind: "update", replaces: false }],
      notes: [expect.stringMatching(/the next pulumi up renews the lease, which ends at /)],
    });
    expect(resource.plan(program, resource.outputs)).toMatchObject({ password, leaseId, leaseEnds: UNKNOWN });
    expect(await resource.up(program)).toBe(true);
    const body = { lease_id: leaseId, increment: 3600 };
    expect(world.requests.at(-1)).toMatchObject({ path: "/v1/sys/leases/renew", body });
    expect(resource.outputs).toMatchObject({ password, leaseId, leaseEnds: inAnHour(world) });
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("a refresh near its expiry logs that it is due, and does not renew it", async () => {
    const { world, resource } = await nearEnd();
    await resource.refresh();
    expect(world.logged).toEqual([
      expect.stringMatching(/^info: the next pulumi up renews the lease, which ends at /),
    ]);
    expect(renewals(world)).toEqual([]);
  });

  test("is not due after another user has renewed it", async () => {
    const { world, resource } = await nearEnd();
    await write(world, "sys/leases/renew", { lease_id: resource.outputs.leaseId, increment: 3600 });
    await resource.refresh();
    expect(resource.outputs.leaseEnds).toBe(inAnHour(world));
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
  });

  test("is not due in its first half, however long renewBefore is", async () => {
    const long = { ...program, renewBefore: "30d" };
    const { world, resource } = await issue(queueCredentials, long);
    expect(resource.preview(long).changes).toEqual([]);
    world.now += HOUR / 2 - 1;
    expect(resource.preview(long).changes).toEqual([]);
    world.now += 1;
    expect(resource.preview(long).changes).toHaveLength(1);
  });

  test("is not renewed without renewBefore", async () => {
    const { world, resource } = await issue(queueCredentials, { name: "app" });
    world.now += HOUR - 1;
    expect(resource.preview({ name: "app" })).toMatchObject({ changes: [], notes: [] });
  });

  test("is renewed up to its max TTL with a warning, and then replaced", async () => {
    const { world, resource } = await setUp(queueCredentials);
    await write(world, "msgq/config/lease", { ttl: 3600, max_ttl: 4200 });
    await resource.create(program);
    world.now += HOUR - 300_000;
    await resource.up(program);
    expect(resource.outputs.leaseEnds).toBe(new Date(world.now + 900_000).toISOString());
    expect(world.logged.join("\n")).toMatch(
      /the server warns: TTL of .*\n.*renewed the lease for 900 seconds instead of 3600/s,
    );
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
    world.now += 450_000;
    expect(resource.preview(program)).toMatchObject({
      changes: [{ path: ["leaseEnds"], replaces: true }],
      deleteFirst: false,
      notes: [expect.stringContaining("cannot be renewed: the next pulumi up issues new credentials")],
    });
    const replacement = new Resource(world, queueCredentials);
    await replacement.create(program);
    await resource.delete();
    expect(leases(world)).toEqual([replacement.outputs.leaseId]);
  });

  test("the next up replaces the credentials after the server rejected a renewal with 400", async () => {
    const { world, resource } = await nearEnd();
    setFate(world, /renew$/, refusal(400, '{"errors":["lease is not renewable"]}'));
    const failure = await resource.up(program).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialError);
    expect(String(failure)).toContain("pulumi up again to issue new credentials");
    expect(replacedBy(resource, program)).toHaveLength(1);
  });

  test("a renewal fails after someone revoked the lease, and the error recommends pulumi refresh", async () => {
    const { world, resource } = await nearEnd();
    await write(world, "sys/leases/revoke", { lease_id: resource.outputs.leaseId });
    await expect(resource.up(program)).rejects.toThrow(
      /the lease no longer exists on the server.*pulumi refresh/s,
    );
    expect(await resource.refresh()).toBe(false);
  });

  test("a renewal that the server rejects reports that rejection if the lookup after it fails", async () => {
    const { world, resource } = await nearEnd();
    world.fate = ({ path }) => {
      if (path.endsWith("renew")) return refusal(400, '{"errors":["lease is not renewable"]}');
      return path.endsWith("lookup") ? refusal(502, "<html>") : "passes";
    };
    const failure = await resource.up(program).catch(String);
    expect(failure).toMatch(/renew returned 400: lease is not renewable/);
    expect(failure).not.toContain("502");
    letPass(world);
    await resource.up(program);
    expect(resource.record.pending).toBeUndefined();
    expect(resource.outputs.leaseEnds).toBe(inAnHour(world));
  });

  test("a renewal that fails with 403 preserves the outputs, and a later up renews the lease", async () => {
    const { world, resource } = await nearEnd();
    const { password } = resource.outputs;
    setFate(world, /renew$/, refusal(403, DENIED));
    await expect(resource.up(program)).rejects.toThrow(/sys\/leases\/renew returned 403/);
    expect(resource.outputs.password).toBe(password);
    letPass(world);
    await resource.up(program);
    expect(resource.record.pending).toBeUndefined();
    expect(resource.outputs.leaseEnds).toBe(inAnHour(world));
  });

  test("is renewed only once if the response to the renewal is lost", async () => {
    const { world, resource } = await nearEnd();
    setFate(world, /renew$/, "response lost");
    await resource.up(program);
    expect(renewals(world)).toHaveLength(1);
    expect(resource.outputs.leaseEnds).toBe(inAnHour(world));
  });

  test.each(FAULTS)(
    "a renewal with one fault (%s) ends with a single lease, which is in the state",
    async (fault) => {
      for (let at = 0; at < 3; at++) {
        const { world, resource } = await nearEnd();
        await withFault(resource, { at, fault }, async () => void (await resource.up(program)));
        await resource.refresh();
        await resource.up(program);
        expect(resource.record.pending).toBeUndefined();
        expect(resource.preview(program).changes).toEqual([]);
        expect(leases(world)).toEqual([resource.outputs.leaseId]);
        expect(Date.parse(String(resource.outputs.leaseEnds))).toBeGreaterThanOrEqual(
          world.now + HOUR - 1000,
        );
        await resource.delete();
        expect(leases(world)).toEqual([]);
      }
    },
  );
});
