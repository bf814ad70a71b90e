import { indexOf, Scene, scene, serviceJob, TOKENS } from "./scheduler-scene";

const AT = "/namespace/shop";
const SHOP = { Name: "shop", Description: "for the shop", Meta: { owner: "ops" } };

describe("namespaces", () => {
  test("are written completely, without a body in the response", async () => {
    const { status, body, headers } = await scene.send("POST", AT, SHOP);
    expect({ status, body }).toEqual({ status: 200, body: undefined });
    expect(headers["x-sched-index"]).toMatch(/^\d+$/);
    await scene.send("PUT", "/namespace", { Name: "shop", Capabilities: { EnabledTaskDrivers: [] } });
    const read = await scene.get(AT);
    expect(read.body).toMatchObject({ Name: "shop", Description: "", Quota: "", Meta: null });
    expect(read.body).toMatchObject({ ModifyIndex: indexOf(read) });
  });

  test("are read and listed by callers with any capability in them", async () => {
    await scene.send("POST", AT, SHOP);
    expect((await scene.get("/namespaces")).body.map(({ Name }: { Name: string }) => Name)).toEqual([
      "default",
      "shop",
      "team-data",
      "team-secret",
      "team-web",
    ]);
    const byLister = await scene.get("/namespaces?prefix=team-", { as: TOKENS.lister });
    expect(byLister.body.map(({ Name }: { Name: string }) => Name)).toEqual(["team-data", "team-web"]);
    expect((await scene.get(AT, { as: TOKENS.lister })).status).toBe(403);
    expect((await scene.send("POST", AT, SHOP, { as: TOKENS.submitter })).status).toBe(403);
    expect((await scene.send("DELETE", AT, undefined, { as: TOKENS.submitter })).status).toBe(403);
  });

  test("have a valid name, the name of their path, and no features of Nomad Enterprise", async () => {
    expect(await scene.send("POST", AT, { Name: "other" })).toMatchObject({
      status: 400,
      body: "Namespace name does not match request path",
    });
    expect(await scene.send("POST", "/namespace", { Name: "a b" })).toMatchObject({
      status: 500,
      body: expect.stringMatching(/^Invalid namespace "a b": 1 error occurred:\n\t\* invalid name "a b"/),
    });
    const governed = { ...SHOP, NodePoolConfiguration: { Default: "gpu" } };
    expect((await scene.send("POST", AT, governed)).body).toContain("Node Pools Governance is unlicensed.");
    expect((await scene.send("POST", AT, { ...SHOP, Quota: "small" })).body).toBe(
      'namespace "shop" using non-existent quota "small"',
    );
    const enterprise = new Scene({ enterprise: true });
    expect((await enterprise.send("POST", AT, governed)).status).toBe(200);
  });

  test("are deleted only if nothing in them is left, and never the default", async () => {
    const scene = new Scene({ enterprise: true });
    await scene.send("POST", AT, { ...SHOP, Quota: "small" });
    await scene.existing(serviceJob("web", { Namespace: "shop" }));
    await scene.send("POST", "/var/app?namespace=shop", { Items: { key: "value" } });
    const refused = await scene.send("DELETE", AT);
    expect(refused.status).toBe(500);
    expect(refused.body).toContain('namespace "shop" has non-terminal jobs in regions: [global]');
    expect(refused.body).toContain('namespace "shop" has variables associated with it in regions: [global]');
    expect(refused.body).toContain('namespace "shop" has quotas associated with it: [global]');
    await scene.send("DELETE", "/job/web?namespace=shop&purge=true");
    await scene.send("DELETE", "/var/app?namespace=shop");
    await scene.send("POST", AT, SHOP);
    expect((await scene.send("DELETE", AT)).status).toBe(200);
    expect(await scene.get(AT)).toMatchObject({ status: 404, body: "Namespace not found" });
    expect((await scene.send("DELETE", "/namespace/default")).body).toBe("can not delete default namespace");
  });
});
