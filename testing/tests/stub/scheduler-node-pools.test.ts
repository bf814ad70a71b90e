import { indexOf, Scene, scene, serviceJob, TOKENS } from "./scheduler-scene";

const AT = "/node/pool/big";
const BIG = { Name: "big", Description: "many cores", Meta: { rack: "9" } };

describe("node pools", () => {
  test("are written completely, with a default TTL, and without a body in the response", async () => {
    const { status, body } = await scene.send("POST", AT, { ...BIG, NodeIdentityTTL: "1h30m" });
    expect({ status, body }).toEqual({ status: 200, body: undefined });
    expect((await scene.get(AT)).body).toMatchObject({ ...BIG, NodeIdentityTTL: 5_400_000_000_000 });
    await scene.send("PUT", "/node/pools", { Name: "big" });
    const read = await scene.get(AT);
    expect(read.body).toMatchObject({
      Description: "",
      Meta: null,
      SchedulerConfiguration: null,
      NodeIdentityTTL: 86_400_000_000_000,
      ModifyIndex: indexOf(read),
    });
  });

  test("are listed with the built-in pools, which no one can change or delete", async () => {
    await scene.send("POST", AT, BIG);
    const { body } = await scene.get("/node/pools");
    expect(body.map(({ Name }: { Name: string }) => Name)).toEqual(["all", "big", "default", "gpu"]);
    expect(await scene.send("POST", "/node/pool/default", { Name: "default" })).toMatchObject({
      status: 400,
      body: 'modifying node pool "default" is not allowed',
    });
    expect(await scene.send("DELETE", "/node/pool/all")).toMatchObject({
      status: 500,
      body: 'deleting node pool "all" is not allowed',
    });
  });

  test("have a valid name, TTL and path, and settings of the scheduler only with Nomad Enterprise", async () => {
    for (const [path, sent, status, body] of [
      ["/node/pools", { Name: "a b" }, 400, 'invalid node pool "a b": 1 error occurred'],
      [AT, { Name: "other" }, 400, "Node pool name does not match request path"],
      [AT, { ...BIG, NodeIdentityTTL: "x" }, 400, 'time: invalid duration "x"'],
      [AT, { ...BIG, SchedulerConfiguration: {} }, 500, '"Node Pools Governance" is unlicensed'],
    ] as const)
      expect(await scene.send("POST", path, sent)).toMatchObject({
        status,
        body: expect.stringContaining(body),
      });
    const enterprise = new Scene({ enterprise: true });
    expect((await enterprise.send("POST", AT, { ...BIG, SchedulerConfiguration: {} })).status).toBe(200);
  });

  test("are deleted only if no job uses them, and are visible only with a capability", async () => {
    await scene.existing(serviceJob("web", { NodePool: "gpu" }));
    expect((await scene.send("DELETE", "/node/pool/gpu")).body).toContain(
      'node pool "gpu" has non-terminal jobs in regions: [global]',
    );
    await scene.send("DELETE", "/job/web?purge=true");
    expect((await scene.send("DELETE", "/node/pool/gpu")).status).toBe(200);
    expect(await scene.get("/node/pool/gpu")).toMatchObject({ status: 404, body: "node pool not found" });
    expect((await scene.send("DELETE", "/node/pool/gpu")).body).toBe("node pool gpu not found");
    expect((await scene.get("/node/pool/all", { as: TOKENS.reader })).status).toBe(403);
    expect((await scene.get("/node/pools", { as: TOKENS.reader })).body).toEqual([]);
    expect((await scene.send("POST", AT, BIG, { as: TOKENS.reader })).status).toBe(403);
    expect((await scene.send("DELETE", AT, undefined, { as: TOKENS.reader })).status).toBe(403);
  });
});
