import { answers } from "./in-process";
import { defaults, FALSE, Scene, SECOND, START, TOKENS, TRUE } from "./mesh-scene";

const WEB = "/config/service-defaults/web";
const LAG = 5 * SECOND;
const token = { "x-consul-token": TOKENS.manager };

/** An agent in the secondary datacenter `dc2`, which replicates writes from the primary `dc1` after five seconds. */
function federatedScene(switches: object = {}) {
  const scene = new Scene({
    datacenter: "dc2",
    primaryDatacenter: "dc1",
    copiedAfterMilliseconds: LAG,
    ...switches,
  });
  const pass = (milliseconds: number) => scene.clock.advance(milliseconds);
  return { scene, pass };
}

const real = { dialect: "real" } as const;
const asManager = { as: "", headers: token };

test("writes with any dc and a delete apply to the primary datacenter", async () => {
  const { scene } = federatedScene();
  for (const [name, query] of [
    ["one", ""],
    ["two", "?dc=dc2"],
    ["three", "?dc=dc1"],
  ] as const) {
    expect((await scene.put(defaults(name), query)).body).toBe(TRUE);
    await answers(scene.get(`/config/service-defaults/${name}?dc=dc1`), 200);
    await answers(scene.get(`/config/service-defaults/${name}`), 404);
  }
  const entry = await scene.entry("service-defaults", "one", "?dc=dc1");
  expect((await scene.remove(`/config/service-defaults/one?cas=${entry.ModifyIndex}`)).body).toBe(TRUE);
  await answers(scene.get("/config/service-defaults/one?dc=dc1"), 404);
});

test("the secondary datacenter shows writes after the replication delay, with its own indexes", async () => {
  const { scene, pass } = federatedScene();
  await scene.put(defaults("web", { Protocol: "http" }));
  pass(LAG - 1);
  await answers(scene.get(WEB), 404);
  pass(1);
  const [copy, own] = [
    await scene.entry("service-defaults", "web"),
    await scene.entry("service-defaults", "web", "?dc=dc1"),
  ];
  expect(copy).toEqual({ ...own, CreateIndex: copy.CreateIndex, ModifyIndex: copy.ModifyIndex });
  expect(copy.ModifyIndex).not.toBe(own.ModifyIndex);
  expect((await scene.put(defaults("web"), `?cas=${copy.ModifyIndex}`)).body).toBe(FALSE);
  expect((await scene.put(defaults("web"), `?cas=${own.ModifyIndex}`)).body).toBe(TRUE);
  pass(LAG);
  const later = await scene.entry("service-defaults", "web");
  expect([later.CreateIndex, later.Protocol]).toEqual([copy.CreateIndex, ""]);
  await scene.remove(WEB);
  await answers(scene.get(WEB), 200);
  pass(LAG);
  await answers(scene.get(WEB), 404);
});

test("the secondary datacenter shows each of two writes after its own replication delay", async () => {
  const { scene, pass } = federatedScene();
  await scene.put(defaults("web", { Protocol: "http" }));
  pass(SECOND);
  await scene.put(defaults("web", { Protocol: "grpc" }));
  pass(LAG - SECOND);
  expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
  pass(SECOND);
  expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
});

test("a reduced replication delay does not make the secondary datacenter return to an older value", async () => {
  const { scene, pass } = federatedScene();
  await scene.put(defaults("web", { Protocol: "http" }));
  scene.service.configure({ copiedAfterMilliseconds: 0 });
  await scene.put(defaults("web", { Protocol: "grpc" }));
  for (const milliseconds of [0, LAG]) {
    pass(milliseconds);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  }
});

test("a blocking query in the secondary datacenter returns when the change is replicated", async () => {
  const { scene, pass } = federatedScene({ copiedAfterMilliseconds: 0 });
  await scene.put(defaults("web", { Protocol: "http" }));
  scene.service.configure({ copiedAfterMilliseconds: LAG });
  const { headers } = await scene.get(WEB);
  const waiting = scene.get(`${WEB}?index=${headers["x-mesh-index"]}&wait=1m`);
  await scene.put(defaults("web", { Protocol: "grpc" }));
  pass(LAG);
  expect((await waiting).body.Protocol).toBe("grpc");
  expect(scene.clock.now()).toBe(START + LAG);
});

test("exported-services writes from a secondary datacenter need dc=<primary>, and are not replicated", async () => {
  const { scene, pass } = federatedScene();
  const exported = { Kind: "exported-services", Name: "default", Services: [] };
  await answers(
    scene.put(exported),
    500,
    "exported-services writes in secondary datacenters must target the primary datacenter explicitly.",
  );
  await answers(
    scene.put(exported, "?dc=dc2"),
    500,
    "exported-services writes must not target secondary datacenters.",
  );
  expect((await scene.put(exported, "?dc=dc1")).body).toBe(TRUE);
  pass(LAG);
  await answers(scene.get("/config/exported-services/default"), 404);
  scene.service.configure({ datacenter: "dc1" });
  await answers(scene.get("/config/exported-services/default"), 200);
  expect((await scene.put({ ...exported, Meta: { a: "b" } })).body).toBe(TRUE);
});

test("seeded and removed entries take effect in every datacenter immediately", async () => {
  const { scene } = federatedScene();
  scene.service.seed({ entries: [{ entry: defaults("web") }] });
  for (const query of ["", "?dc=dc1"]) await answers(scene.get(`/config/service-defaults/web${query}`), 200);
  scene.service.seed({ removed: [{ kind: "service-defaults", name: "web" }] });
  await answers(scene.get(WEB), 404);
});

describe("Consul agent in the real dialect", () => {
  test("/agent/self returns the primary datacenter, or its own if alone; 403 without agent:read", async () => {
    const { scene } = federatedScene(real);
    const self = (await scene.get("/agent/self", asManager)).body;
    expect(self.Config).toMatchObject({ Datacenter: "dc2", PrimaryDatacenter: "dc1" });
    const alone = new Scene(real);
    expect((await alone.get("/agent/self", asManager)).body.Config.PrimaryDatacenter).toBe("dc1");
    const headers = { "x-consul-token": TOKENS.serviceWriter };
    await answers(
      scene.get("/agent/self", { as: "", headers }),
      403,
      expect.stringContaining("lacks permission 'agent:read'"),
    );
  });

  test("/acl/replication returns the source datacenter without a token; 401 if ACLs are disabled", async () => {
    const { scene } = federatedScene(real);
    const anonymous = { as: "" };
    const replication = await scene.get("/acl/replication", anonymous);
    expect(replication.body).toMatchObject({ Enabled: true, SourceDatacenter: "dc1" });
    for (const datacenter of ["dc1", "dc2"]) {
      scene.service.configure({ datacenter, primaryDatacenter: "dc1" });
      const { SourceDatacenter } = (await scene.get("/acl/replication", anonymous)).body;
      expect(SourceDatacenter).toBe(datacenter === "dc1" ? "" : "dc1");
    }
    scene.service.configure({ primaryDatacenter: "" });
    expect((await scene.get("/acl/replication", anonymous)).body.SourceDatacenter).toBe("");
    scene.service.configure({ acl: false });
    await answers(scene.get("/acl/replication", anonymous), 401, "ACL support disabled");
  });

  test("/agent/self and /acl/replication return 404 in the neutral dialect", async () => {
    const { scene } = federatedScene();
    for (const path of ["/agent/self", "/acl/replication"])
      await answers(scene.get(path), 404, "Invalid URL path");
  });
});
