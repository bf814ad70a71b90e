import cloudLease from "../../../provider/services/secrets/cloudLease";
import queueLease from "../../../provider/services/secrets/queueLease";
import { scene } from "./scene";

const DAYS = ["24h", "1440m", 86_400, "86400", "23h60m"];

describe("the lease of the message queue (A2)", () => {
  test.each(DAYS)("takes %j for a day, and sends integer seconds", async (day) => {
    const { resource, written, held } = await scene(queueLease);
    await resource.create({ ttl: 3600, maxTtl: day });
    expect(written()).toEqual([{ ttl: 3600, max_ttl: 86_400 }]);
    for (const other of DAYS) expect(resource.preview({ ttl: "1h", maxTtl: other }).changes).toEqual([]);
    expect(await held("msgq/config/lease")).toEqual({ ttl: 3600, max_ttl: 86_400 });
  });

  test.each(["soon", "1.5", "-1h", "h"])("refuses %j, which is no duration", async (ttl) => {
    const { problems } = await scene(queueLease);
    expect(problems({ ttl })).toHaveLength(1);
    expect(problems({ ttl })[0]).toMatch(/^ttl: given .*: must be/);
  });

  test("takes a ttl beyond maxTtl, as the service does, and is quiet", async () => {
    const { resource, held } = await scene(queueLease);
    const program = { ttl: "2h", maxTtl: 3600 };
    await resource.create(program);
    expect(await held("msgq/config/lease")).toEqual({ ttl: 7200, max_ttl: 3600 });
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("with a part of a second is what the service makes of it, and quiet", async () => {
    const { resource, written, held } = await scene(queueLease);
    await resource.create({ ttl: "1500ms", maxTtl: "" });
    expect(written()).toEqual([{ ttl: "1.5s", max_ttl: 0 }]);
    expect(await held("msgq/config/lease")).toEqual({ ttl: 1, max_ttl: 0 });
    expect(resource.preview({ ttl: "1500ms" }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview({ ttl: "1.5s" }).changes).toEqual([]);
  });

  test("takes over a lease that sets nothing, and no other unasked", async () => {
    const { resource, theirs } = await scene(queueLease, { "msgq/config/lease": {} });
    await resource.create({ ttl: "1h" });
    await theirs("msgq/config/lease", { ttl: 60, max_ttl: 60 });
    const { resource: other } = await scene(queueLease, { "msgq/config/lease": { ttl: 60, max_ttl: 60 } });
    await expect(other.create({ ttl: "1h" })).rejects.toThrow(/already exists.*adopt: true/s);
  });

  test("stays on the service after a delete, which says so", async () => {
    const { resource, world, held } = await scene(queueLease);
    await resource.create({ ttl: "1h" });
    await resource.delete();
    expect(await held("msgq/config/lease")).toMatchObject({ ttl: 3600 });
    expect(world.logged).toEqual([
      "warning: it leaves the state only: the service has no request that takes the lease away; write both values as 0 before, to be rid of it",
    ]);
  });
});

describe("the lease of the cloud engine (A5, config/lease)", () => {
  test.each(DAYS)("takes %j for a day, and sends text in which h is the largest unit", async (day) => {
    const { resource, written, held } = await scene(cloudLease);
    await resource.create({ lease: "30m", leaseMax: day });
    expect(written()).toEqual([{ lease: "0h30m0s", lease_max: "24h0m0s" }]);
    for (const other of DAYS) expect(resource.preview({ lease: 1800, leaseMax: other }).changes).toEqual([]);
    expect(await held("cloud/config/lease")).toEqual({ lease: "30m0s", lease_max: "24h0m0s" });
  });

  test("never sends days, which the service does not know", async () => {
    const { resource, written } = await scene(cloudLease);
    await resource.create({ lease: "1d", leaseMax: "2d12h" });
    expect(written()).toEqual([{ lease: "24h0m0s", lease_max: "60h0m0s" }]);
  });

  test("needs both values, and sends both whatever changed", async () => {
    const { resource, written, problems } = await scene(cloudLease);
    expect(problems({}).map((line) => line.split(":")[0])).toEqual(["lease", "leaseMax"]);
    await resource.create({ lease: "30m", leaseMax: "24h" });
    await resource.up({ lease: "30m", leaseMax: "12h" });
    expect(written().at(-1)).toEqual({ lease: "0h30m0s", lease_max: "12h0m0s" });
  });

  test("takes a lease beyond leaseMax, as the service does, and none that is empty", async () => {
    const { resource, problems } = await scene(cloudLease);
    const program = { lease: "25h", leaseMax: 86_400 };
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
    expect(problems({ lease: "", leaseMax: "1h" })).toEqual(['lease: given "": must not be empty']);
  });
});
