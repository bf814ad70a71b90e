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

/** What the service says of an entry: type, status, reason, and the listener that it is about. */
async function conditions(scene: Scene, kind: string, name: string): Promise<string[]> {
  const { Status } = await scene.entry(kind, name);
  return (Status.Conditions as readonly Condition[]).map(({ Type, Status: is, Reason, Resource }) =>
    [Type, is, Reason, Resource?.SectionName].filter(Boolean).join(" "),
  );
}

async function bound(scene: Scene) {
  const { Listeners } = await scene.entry("bound-api-gateway", "front");
  return Object.fromEntries(
    Listeners.map(({ Name, Routes, Certificates }: Record<string, { Name: string }[] | null>) => [
      Name,
      [...(Routes ?? []), ...(Certificates ?? [])].map((each) => each.Name),
    ]),
  );
}

describe("The service's own controller", () => {
  test("says of a gateway that it is accepted, and of each listener whether its routes are in conflict", async () => {
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

  test("keeps a bound-api-gateway for each gateway, with what is bound to its listeners", async () => {
    await scene.put(gateway(http(), http({ Name: "admin", Port: 82 }), tcp()));
    expect(await bound(scene)).toEqual({ web: [], admin: [], db: [] });
    const [listener] = (await scene.entry("bound-api-gateway", "front")).Listeners;
    expect(listener).toEqual({ Name: "web", Routes: null, Certificates: null });
    await scene.put(route("http-route", "all", { Name: "front" }));
    await scene.put(route("http-route", "one", { Name: "front", SectionName: "admin" }));
    await scene.put(route("tcp-route", "data", { Name: "front" }));
    await scene.put(route("tcp-route", "elsewhere", { Name: "back" }));
    expect(await bound(scene)).toEqual({ web: ["all"], admin: ["all", "one"], db: ["data"] });
    await scene.remove("/config/http-route/all");
    expect(await bound(scene)).toEqual({ web: [], admin: ["one"], db: ["data"] });
    await scene.remove("/config/api-gateway/front");
    await answers(scene.get("/config/bound-api-gateway/front"), 404);
  });

  test("binds certificates that are there, and says which are not", async () => {
    await scene.put(gateway(http({ TLS: { Certificates: [{ Name: "web" }] } })));
    expect(await bound(scene)).toEqual({ web: [] });
    expect(await conditions(scene, "api-gateway", "front")).toContain(
      "ResolvedRefs False InvalidCertificateRef",
    );
    await scene.put(SAMPLES["inline-certificate"]);
    expect(await bound(scene)).toEqual({ web: ["web"] });
    expect(await conditions(scene, "api-gateway", "front")).toEqual([
      "Accepted True Accepted",
      "Conflicted False NoConflict web",
    ]);
  });

  test.each([
    ["bound", { Name: "front" }, "Bound True Bound"],
    ["bound to a listener", { Name: "front", SectionName: "web" }, "Bound True Bound web"],
    ["not bound where there is no such gateway", { Name: "back" }, "Bound False GatewayNotFound"],
    [
      "nor where it is in another namespace",
      { Name: "front", Namespace: "team" },
      "Bound False GatewayNotFound",
    ],
    [
      "nor where there is no such listener",
      { Name: "front", SectionName: "x" },
      "Bound False FailedToBind x",
    ],
    [
      "nor where it listens to something else",
      { Name: "front", SectionName: "db" },
      "Bound False FailedToBind db",
    ],
  ])("says of a route to each parent whether it is %s", async (_name, parent, text) => {
    await scene.put(gateway(http(), tcp()));
    await scene.put(route("http-route", "r", parent));
    expect(await conditions(scene, "http-route", "r")).toEqual(["Accepted True Accepted", text]);
  });

  test("moves a route's index when its gateway comes, with no user's change of the route", async () => {
    const before = await scene.existing(route("http-route", "r", { Name: "front" }));
    await scene.put(gateway(http()));
    const after = await scene.entry("http-route", "r");
    expect(after.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
    const own = ({ Status: _, ModifyIndex: __, ...rest }: typeof after) => rest;
    expect(own(after)).toEqual(own(before));
    const { body } = await scene.put(route("http-route", "r"), `?cas=${before.ModifyIndex}`);
    expect(body).toBe(FALSE);
  });

  test("leaves alone what is as it was: the index, and since when", async () => {
    await scene.put(gateway(http()));
    await scene.put(route("http-route", "r", { Name: "front" }));
    const before = await scene.entry("api-gateway", "front");
    scene.clock.advance(SECOND);
    await scene.put(route("http-route", "other"));
    await scene.put(route("http-route", "r", { Name: "front", SectionName: "web" }));
    const after = await scene.entry("api-gateway", "front");
    expect(after).toEqual(before);
  });

  test("says since when, by the stub's clock", async () => {
    scene.clock.advance(5 * SECOND);
    await scene.put(gateway(http()));
    const { Status } = await scene.entry("api-gateway", "front");
    for (const { LastTransitionTime } of Status.Conditions as Condition[]) {
      expect(LastTransitionTime).toBe("2030-01-01T00:00:05.000Z");
    }
  });

  test("looks at what a seed brings", async () => {
    const scene = new Scene(
      {},
      { entries: [{ entry: gateway(http()) }, { entry: route("http-route", "r", { Name: "front" }) }] },
    );
    expect(await bound(scene)).toEqual({ web: ["r"] });
    scene.service.seed({ removed: [{ kind: "http-route", name: "r" }] });
    expect(await bound(scene)).toEqual({ web: [] });
  });

  test("each datacenter has its own", async () => {
    await scene.put(gateway(http()), "?dc=dc2");
    await answers(scene.get("/config/bound-api-gateway/front"), 404);
    await answers(scene.get("/config/bound-api-gateway/front?dc=dc2"), 200);
  });

  test("can be switched off: then nothing moves by itself", async () => {
    const scene = new Scene({ reconciles: false });
    const entry = await scene.existing(gateway(http()));
    expect(entry.Status).toEqual({ Conditions: null });
    expect(entry.ModifyIndex).toBe(entry.CreateIndex);
    expect((await scene.get("/config/bound-api-gateway")).body).toEqual([]);
  });
});

describe("Status, moved by an administrator", () => {
  const refused = { Type: "Accepted", Status: "False", Reason: "Invalid", Message: "no" };

  test.each(["api-gateway", "http-route", "tcp-route"] as const)(
    "of a %s: the index moves, and nothing of the user's",
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

  test("a user's write keeps it where nothing reconciles", async () => {
    const scene = new Scene({ reconciles: false });
    await scene.put(gateway(http()));
    scene.service.seed({ statuses: [{ kind: "api-gateway", name: "front", conditions: [refused] }] });
    expect((await scene.put(gateway(http(), tcp()))).body).toBe(TRUE);
    expect(await conditions(scene, "api-gateway", "front")).toEqual(["Accepted False Invalid"]);
  });

  test("writing what is there already is still no change", async () => {
    await scene.put(gateway(http()));
    scene.service.seed({ statuses: [{ kind: "api-gateway", name: "front", conditions: [refused] }] });
    const before = await scene.entry("api-gateway", "front");
    expect((await scene.put(gateway(http()), "?cas=1")).body).toBe(TRUE);
    expect(await scene.entry("api-gateway", "front")).toEqual(before);
  });
});
