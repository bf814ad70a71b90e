import { answers } from "./in-process";
import { FALSE, SAMPLES, Scene, SECOND, scene, TRUE } from "./mesh-scene";

interface Condition {
  readonly Type: string;
  readonly Status: string;
  readonly Reason: string;
  readonly Resource: { readonly SectionName: string } | null;
  readonly LastTransitionTime: string;
}

const gateway = (...Listeners: object[]) => ({ Kind: "api-gateway", Name: "front", Listeners });
const http = (fields: object = {}) => ({ Name: "web", Port: 80, Protocol: "http", ...fields });
const tcp = (fields: object = {}) => ({ Name: "db", Port: 81, Protocol: "tcp", ...fields });
const route = (kind: "http-route" | "tcp-route", name: string, ...Parents: object[]) => ({
  Kind: kind,
  Name: name,
  Parents,
});

/** The conditions of an entry: type, status, reason, and the name of the listener if there is one. */
async function conditions(scene: Scene, kind: string, name: string): Promise<string[]> {
  const { Status } = await scene.entry(kind, name);
  return (Status.Conditions as readonly Condition[]).map(({ Type, Status: is, Reason, Resource }) =>
    [Type, is, Reason, Resource?.SectionName].filter(Boolean).join(" "),
  );
}

/** The names of the routes and certificates that are bound to each listener. */
async function boundNames(scene: Scene) {
  const { Listeners } = await scene.entry("bound-api-gateway", "front");
  return Object.fromEntries(
    Listeners.map(({ Name, Routes, Certificates }: Record<string, { Name: string }[] | null>) => [
      Name,
      [...(Routes ?? []), ...(Certificates ?? [])].map((each) => each.Name),
    ]),
  );
}

describe("API gateway controller", () => {
  test("reports a gateway as accepted, and each listener with or without a route conflict", async () => {
    await scene.put(gateway(http(), tcp()));
    expect(await conditions(scene, "api-gateway", "front")).toEqual([
      "Accepted True Accepted",
      "Conflicted False NoConflict web",
      "Conflicted False NoConflict db",
    ]);
    await scene.put(route("tcp-route", "a", { Name: "front" }));
    expect(await conditions(scene, "api-gateway", "front")).toContain("Conflicted False NoConflict db");
    await scene.put(route("tcp-route", "b", { Name: "front" }));
    await scene.put(route("http-route", "c", { Name: "front" }));
    await scene.put(route("http-route", "d", { Name: "front" }));
    expect(await conditions(scene, "api-gateway", "front")).toEqual([
      "Accepted True Accepted",
      "Conflicted False NoConflict web",
      "Conflicted True RouteConflict db",
    ]);
  });

  test("maintains a bound-api-gateway for each gateway, with the routes bound to its listeners", async () => {
    await scene.put(gateway(http(), http({ Name: "admin", Port: 82 }), tcp()));
    expect(await boundNames(scene)).toEqual({ web: [], admin: [], db: [] });
    const [listener] = (await scene.entry("bound-api-gateway", "front")).Listeners;
    expect(listener).toEqual({ Name: "web", Routes: null, Certificates: null });
    await scene.put(route("http-route", "all", { Name: "front" }));
    await scene.put(route("http-route", "one", { Name: "front", SectionName: "admin" }));
    await scene.put(route("tcp-route", "data", { Name: "front" }));
    await scene.put(route("tcp-route", "elsewhere", { Name: "back" }));
    expect(await boundNames(scene)).toEqual({ web: ["all"], admin: ["all", "one"], db: ["data"] });
    await scene.remove("/config/http-route/all");
    expect(await boundNames(scene)).toEqual({ web: [], admin: ["one"], db: ["data"] });
    await scene.remove("/config/api-gateway/front");
    await answers(scene.get("/config/bound-api-gateway/front"), 404);
  });

  test("binds an existing certificate, and reports InvalidCertificateRef for an absent one", async () => {
    await scene.put(gateway(http({ TLS: { Certificates: [{ Name: "web" }] } })));
    expect(await boundNames(scene)).toEqual({ web: [] });
    expect(await conditions(scene, "api-gateway", "front")).toContain(
      "ResolvedRefs False InvalidCertificateRef",
    );
    await scene.put(SAMPLES["inline-certificate"]);
    expect(await boundNames(scene)).toEqual({ web: ["web"] });
    expect(await conditions(scene, "api-gateway", "front")).toEqual([
      "Accepted True Accepted",
      "Conflicted False NoConflict web",
    ]);
  });

  test.each([
    ["bound to its gateway", { Name: "front" }, "Bound True Bound"],
    ["bound to a listener", { Name: "front", SectionName: "web" }, "Bound True Bound web"],
    ["not bound if the gateway does not exist", { Name: "back" }, "Bound False GatewayNotFound"],
    [
      "not bound if the gateway is in a different namespace",
      { Name: "front", Namespace: "team" },
      "Bound False GatewayNotFound",
    ],
    [
      "not bound if the listener does not exist",
      { Name: "front", SectionName: "x" },
      "Bound False FailedToBind x",
    ],
    [
      "not bound if the listener has a different protocol",
      { Name: "front", SectionName: "db" },
      "Bound False FailedToBind db",
    ],
  ])("reports a route as %s", async (_name, parent, text) => {
    await scene.put(gateway(http(), tcp()));
    await scene.put(route("http-route", "r", parent));
    expect(await conditions(scene, "http-route", "r")).toEqual(["Accepted True Accepted", text]);
  });

  test("creating a gateway increases the ModifyIndex of its route without a write of the route", async () => {
    const before = await scene.existing(route("http-route", "r", { Name: "front" }));
    await scene.put(gateway(http()));
    const after = await scene.entry("http-route", "r");
    expect(after.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
    const own = ({ Status: _, ModifyIndex: __, ...rest }: typeof after) => rest;
    expect(own(after)).toEqual(own(before));
    const { body } = await scene.put(route("http-route", "r"), `?cas=${before.ModifyIndex}`);
    expect(body).toBe(FALSE);
  });

  test("does not change ModifyIndex and LastTransitionTime if the conditions stay the same", async () => {
    await scene.put(gateway(http()));
    await scene.put(route("http-route", "r", { Name: "front" }));
    const before = await scene.entry("api-gateway", "front");
    scene.clock.advance(SECOND);
    await scene.put(route("http-route", "other"));
    await scene.put(route("http-route", "r", { Name: "front", SectionName: "web" }));
    const after = await scene.entry("api-gateway", "front");
    expect(after).toEqual(before);
  });

  test("sets LastTransitionTime from the stub's clock", async () => {
    scene.clock.advance(5 * SECOND);
    await scene.put(gateway(http()));
    const { Status } = await scene.entry("api-gateway", "front");
    for (const { LastTransitionTime } of Status.Conditions as Condition[]) {
      expect(LastTransitionTime).toBe("2030-01-01T00:00:05.000Z");
    }
  });

  test("processes seeded and removed entries", async () => {
    const scene = new Scene(
      {},
      { entries: [{ entry: gateway(http()) }, { entry: route("http-route", "r", { Name: "front" }) }] },
    );
    expect(await boundNames(scene)).toEqual({ web: ["r"] });
    scene.service.seed({ removed: [{ kind: "http-route", name: "r" }] });
    expect(await boundNames(scene)).toEqual({ web: [] });
  });

  test("processes each datacenter separately", async () => {
    await scene.put(gateway(http()), "?dc=dc2");
    await answers(scene.get("/config/bound-api-gateway/front"), 404);
    await answers(scene.get("/config/bound-api-gateway/front?dc=dc2"), 200);
  });

  test("sets no conditions and creates no bound-api-gateway if reconciles is false", async () => {
    const scene = new Scene({ reconciles: false });
    const entry = await scene.existing(gateway(http()));
    expect(entry.Status).toEqual({ Conditions: null });
    expect(entry.ModifyIndex).toBe(entry.CreateIndex);
    expect((await scene.get("/config/bound-api-gateway")).body).toEqual([]);
  });
});

describe("Status changed by a seed", () => {
  const refused = { Type: "Accepted", Status: "False", Reason: "Invalid", Message: "no" };

  test.each(["api-gateway", "http-route", "tcp-route"] as const)(
    "a new status of an entry of kind %s increases ModifyIndex and changes no other field",
    async (kind) => {
      const name = SAMPLES[kind].Name;
      const before = await scene.existing(SAMPLES[kind]);
      scene.service.seed({ statuses: [{ kind, name, conditions: [refused] }] }, Date.UTC(2031, 0, 1));
      const after = await scene.entry(kind, name);
      const Conditions = [{ ...refused, Resource: null, LastTransitionTime: "2031-01-01T00:00:00.000Z" }];
      expect(after).toEqual({ ...before, Status: { Conditions }, ModifyIndex: before.ModifyIndex + 1 });
      const { body } = await scene.put({ ...SAMPLES[kind], Meta: { a: "b" } }, `?cas=${before.ModifyIndex}`);
      expect(body).toBe(FALSE);
    },
  );

  test("a write does not change the status if reconciles is false", async () => {
    const scene = new Scene({ reconciles: false });
    await scene.put(gateway(http()));
    scene.service.seed({ statuses: [{ kind: "api-gateway", name: "front", conditions: [refused] }] });
    expect((await scene.put(gateway(http(), tcp()))).body).toBe(TRUE);
    expect(await conditions(scene, "api-gateway", "front")).toEqual(["Accepted False Invalid"]);
  });

  test("writing identical content returns true and changes neither the entry nor its status", async () => {
    await scene.put(gateway(http()));
    scene.service.seed({ statuses: [{ kind: "api-gateway", name: "front", conditions: [refused] }] });
    const before = await scene.entry("api-gateway", "front");
    expect((await scene.put(gateway(http()), "?cas=1")).body).toBe(TRUE);
    expect(await scene.entry("api-gateway", "front")).toEqual(before);
  });
});
