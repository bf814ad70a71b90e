import { Scene } from "./mesh-scene";

const GATEWAY = {
  Kind: "api-gateway",
  Name: "front",
  ExtAuthz: { Enabled: false },
  Defaults: { PassiveHealthCheck: { Consecutive5xx: 3 } },
  Listeners: [{ Name: "web", Port: 80, Protocol: "http", TLS: { SDS: { ClusterName: "sds" } } }],
};
const ROUTE = {
  Kind: "http-route",
  Name: "web",
  Parents: [{ Name: "front" }],
  Rules: [
    {
      Filters: { ExtProc: [{ Mode: "override" }] },
      Services: [{ Name: "web", Limits: { MaxConnections: 5 }, TLS: { SDS: { ClusterName: "sds" } } }],
    },
  ],
};

describe("releases of Consul", () => {
  test("1.22 rejects the members of later releases, all at once", async () => {
    const scene = new Scene();
    const gateway = await scene.put(GATEWAY);
    expect(gateway.status).toBe(400);
    for (const key of ["ExtAuthz", "Defaults", "Listeners[0].TLS.SDS"])
      expect(gateway.body).toContain(`invalid config key "${key}"`);
    const route = await scene.put(ROUTE);
    for (const key of ["Rules[0].Filters.ExtProc", "Rules[0].Services[0].Limits", "Rules[0].Services[0].TLS"])
      expect(route.body).toContain(`invalid config key "${key}"`);
    const headers = { ...GATEWAY, ExtAuthz: undefined, Defaults: undefined };
    const [{ TLS: _, ...listener }] = GATEWAY.Listeners as [(typeof GATEWAY.Listeners)[0]];
    const sized = { ...headers, Listeners: [{ ...listener, MaxRequestHeadersKB: 96 }] };
    expect((await scene.put(sized)).status).toBe(200);
  });

  test("a later release stores them", async () => {
    const scene = new Scene({ release: "later" });
    expect((await scene.put(GATEWAY)).status).toBe(200);
    expect(await scene.entry("api-gateway", "front")).toMatchObject(GATEWAY);
    expect((await scene.put(ROUTE)).status).toBe(200);
    expect(await scene.entry("http-route", "web")).toMatchObject({ Rules: ROUTE.Rules });
  });
});
