import { answers } from "./in-process";
import { defaults, FALSE, Scene, SECOND, START, TOKENS, TRUE } from "./mesh-scene";

const WEB = "/config/service-defaults/web";
const LAG = 5 * SECOND;
const token = { "x-consul-token": TOKENS.manager };

/** An agent of `dc2`, which copies what is written in `dc1` five seconds later. */
function federated(switches: object = {}) {
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
const asked = { as: "", headers: token };

test("a write goes to the primary datacenter, whichever is asked and named", async () => {
  const { scene } = federated();
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

test("a copy shows it later, under indexes of its own", async () => {
  const { scene, pass } = federated();
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

test("of several writes a copy shows those that are old enough", async () => {
  const { scene, pass } = federated();
  await scene.put(defaults("web", { Protocol: "http" }));
  pass(SECOND);
  await scene.put(defaults("web", { Protocol: "grpc" }));
  pass(LAG - SECOND);
  expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
  pass(SECOND);
  expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
});

test("a copy never goes back to what was there before", async () => {
  const { scene, pass } = federated();
  await scene.put(defaults("web", { Protocol: "http" }));
  scene.service.configure({ copiedAfterMilliseconds: 0 });
  await scene.put(defaults("web", { Protocol: "grpc" }));
  for (const milliseconds of [0, LAG]) {
    pass(milliseconds);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  }
});

test("a read that waits at a copy ends when the copy shows the change", async () => {
  const { scene, pass } = federated({ copiedAfterMilliseconds: 0 });
  await scene.put(defaults("web", { Protocol: "http" }));
  scene.service.configure({ copiedAfterMilliseconds: LAG });
  const { headers } = await scene.get(WEB);
  const waiting = scene.get(`${WEB}?index=${headers["x-mesh-index"]}&wait=1m`);
  await scene.put(defaults("web", { Protocol: "grpc" }));
  pass(LAG);
  expect((await waiting).body.Protocol).toBe("grpc");
  expect(scene.clock.now()).toBe(START + LAG);
});

test("services are exported from the primary datacenter only, which a request elsewhere has to name", async () => {
  const { scene, pass } = federated();
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

test("what is planted is in the copies at once", async () => {
  const { scene } = federated();
  scene.service.seed({ entries: [{ entry: defaults("web") }] });
  for (const query of ["", "?dc=dc1"]) await answers(scene.get(`/config/service-defaults/web${query}`), 200);
  scene.service.seed({ removed: [{ kind: "service-defaults", name: "web" }] });
  await answers(scene.get(WEB), 404);
});

describe("an agent of the real product", () => {
  test("tells who may read it the primary datacenter, and its own where it is in no federation", async () => {
    const { scene } = federated(real);
    const self = (await scene.get("/agent/self", asked)).body;
    expect(self.Config).toMatchObject({ Datacenter: "dc2", PrimaryDatacenter: "dc1" });
    const alone = new Scene(real);
    expect((await alone.get("/agent/self", asked)).body.Config.PrimaryDatacenter).toBe("dc1");
    const headers = { "x-consul-token": TOKENS.serviceWriter };
    await answers(
      scene.get("/agent/self", { as: "", headers }),
      403,
      expect.stringContaining("lacks permission 'agent:read'"),
    );
  });

  test("tells anybody what it copies from, where access is controlled", async () => {
    const { scene } = federated(real);
    const nobody = { as: "" };
    const told = await scene.get("/acl/replication", nobody);
    expect(told.body).toMatchObject({ Enabled: true, SourceDatacenter: "dc1" });
    for (const datacenter of ["dc1", "dc2"]) {
      scene.service.configure({ datacenter, primaryDatacenter: "dc1" });
      const { SourceDatacenter } = (await scene.get("/acl/replication", nobody)).body;
      expect(SourceDatacenter).toBe(datacenter === "dc1" ? "" : "dc1");
    }
    scene.service.configure({ primaryDatacenter: "" });
    expect((await scene.get("/acl/replication", nobody)).body.SourceDatacenter).toBe("");
    scene.service.configure({ acl: false });
    await answers(scene.get("/acl/replication", nobody), 401, "ACL support disabled");
  });

  test("by the specification's names it is not there", async () => {
    const { scene } = federated();
    for (const path of ["/agent/self", "/acl/replication"])
      await answers(scene.get(path), 404, "Invalid URL path");
  });
});
