import { type Stub, startStub } from "../../stub";
import { parseExactly } from "../../stub/frame/exact-json";
import { MeshService } from "../../stub/services/mesh/service";
import { answers, send } from "./in-process";
import {
  defaults,
  FALSE,
  HTTP_WEB,
  intentions,
  SAMPLES,
  Scene,
  SECOND,
  scene,
  TOKENS,
  TRUE,
} from "./mesh-scene";

const WEB = "/config/service-defaults/web";
const KIND = "/config/service-defaults";

describe("Consul stub: routes", () => {
  test("are those of part B of the specification and of Consul's agent, ACL, KV and transaction API, under /v1", () => {
    const { name, routes } = new MeshService({ switches: { dialect: "neutral" } });
    expect(name).toBe("mesh");
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "DELETE /v1/acl/policy/:id",
      "DELETE /v1/acl/role/:id",
      "DELETE /v1/acl/token/:id",
      "DELETE /v1/config/:kind/:name*",
      "DELETE /v1/kv/:key*",
      "GET /v1/acl/policies",
      "GET /v1/acl/policy/:id",
      "GET /v1/acl/policy/name/:name*",
      "GET /v1/acl/replication",
      "GET /v1/acl/role/:id",
      "GET /v1/acl/role/name/:name",
      "GET /v1/acl/roles",
      "GET /v1/acl/token/:id",
      "GET /v1/acl/token/self",
      "GET /v1/acl/tokens",
      "GET /v1/agent/self",
      "GET /v1/config/:kind",
      "GET /v1/config/:kind/:name*",
      "GET /v1/kv/",
      "GET /v1/kv/:key*",
      "POST /v1/acl/login",
      "POST /v1/acl/logout",
      "PUT /v1/acl/policy",
      "PUT /v1/acl/policy/:id",
      "PUT /v1/acl/role",
      "PUT /v1/acl/role/:id",
      "PUT /v1/acl/token",
      "PUT /v1/acl/token/:id",
      "PUT /v1/config",
      "PUT /v1/kv/:key*",
      "PUT /v1/txn",
    ]);
    for (const { section } of routes) expect(section).toBe("B. Configuration entries (mesh catalog)");
  });

  test.each([
    ["a management token", "all", 200, { AccessorID: "4f0c", Policies: [{ Name: "global-management" }] }],
    ["a token with rules only", "some", 200, { SecretID: "some" }],
    ["no token", undefined, 200, { AccessorID: "00000000-0000-0000-0000-000000000002" }],
    ["an unknown token", "none", 403, "ACL not found"],
  ] as const)(
    "return the token of a request with %s, without a permission",
    async (_, token, status, body) => {
      const service = new MeshService({
        switches: { dialect: "real" },
        seed: { tokens: { all: { accessor: "4f0c", management: true }, some: {} } },
      });
      const answer = await send(service, "GET", "/v1/acl/token/self", {
        headers: token === undefined ? {} : { "x-consul-token": token },
      });
      expect(answer.status).toBe(status);
      if (typeof body === "string") expect(answer.text).toContain(body);
      else expect(answer.body).toMatchObject(body);
    },
  );

  test.each([
    ["POST", "/config", "PUT"],
    ["GET", "/config", "PUT"],
    ["POST", KIND, "GET"],
    ["PUT", WEB, "DELETE,GET"],
  ])("%s %s returns 405 with the allowed methods", async (method, path, allow) => {
    const { status, headers, body } = await scene.send(method, path);
    expect([status, body, headers.allow]).toEqual([405, `method ${method} not allowed`, allow]);
  });

  test("an unknown path returns 404 with its own message", async () => {
    for (const path of ["/configs", "/", "/catalog/services"]) {
      await answers(new Scene().get(path), 404, "Invalid URL path");
    }
  });
});

describe("Consul stub: dialects", () => {
  test("in the real dialect, request and response headers have Consul's names", async () => {
    const scene = new Scene(
      { dialect: "real", edition: "enterprise" },
      { tokens: { m: { management: true }, t: { rules: { service: { web: "read" } } } } },
    );
    const as = (token: string, more: object = {}) => ({
      as: "",
      headers: { "x-consul-token": token, ...more },
    });
    expect((await scene.put(defaults("api"), "", as("m"))).body).toBe(TRUE);
    const { headers } = await scene.get(KIND, as("t"));
    expect(headers).toEqual({
      "content-type": "application/json",
      "x-consul-index": "2",
      "x-consul-lastcontact": "0",
      "x-consul-knownleader": "true",
      "x-consul-results-filtered-by-acls": "true",
    });
    await scene.put(defaults("web"), "", as("m", { "x-consul-namespace": "team" }));
    await answers(scene.get(`${WEB}?ns=team`, as("m")), 200);
  });

  test.each([
    ["neutral", "x-consul"],
    ["real", "x-mesh"],
  ] as const)("the %s dialect ignores the token header of the other dialect", async (dialect, prefix) => {
    const scene = new Scene({ dialect });
    const { status, body } = await scene.get(KIND, {
      as: "",
      headers: { [`${prefix}-token`]: TOKENS.manager },
    });
    expect([status, body]).toEqual([200, []]);
    await answers(
      scene.put(defaults("web"), "", { as: "", headers: { [`${prefix}-token`]: TOKENS.manager } }),
      403,
    );
  });
});

describe("Consul stub: rate limit", () => {
  const rateLimit = { limit: 2, windowMilliseconds: SECOND, retryAfter: false };

  test("returns 429 to every further request of the token until the window ends", async () => {
    const scene = new Scene({ rateLimit });
    await scene.put(defaults("web"));
    await answers(scene.get(WEB), 200);
    const before = scene.service.dump();
    for (const answer of [
      await scene.get(WEB),
      await scene.put(defaults("api")),
      await scene.remove(WEB),
      await scene.get(KIND),
    ]) {
      expect(answer).toMatchObject({
        status: 429,
        body: "rate limit exceeded, try again later or against a different server",
      });
      expect(answer.headers).not.toHaveProperty("retry-after");
    }
    expect(scene.service.dump()).toEqual(before);
    scene.clock.advance(SECOND);
    await answers(scene.get(WEB), 200);
  });

  test("applies to each token separately", async () => {
    const scene = new Scene({ rateLimit });
    for (let sent = 0; sent < 3; sent++) await scene.get(KIND);
    await answers(scene.get(KIND), 429);
    await answers(scene.get(KIND, { as: TOKENS.serviceReader }), 200);
  });

  test("with retryAfter, a 429 has a Retry-After header", async () => {
    const scene = new Scene({ rateLimit: { limit: 1, windowMilliseconds: 5 * SECOND, retryAfter: true } });
    await scene.get(KIND);
    scene.clock.advance(1500);
    expect((await scene.get(KIND)).headers["retry-after"]).toBe("4");
  });

  test("does not apply by default, and a reset clears the number of requests", async () => {
    for (let sent = 0; sent < 50; sent++) await answers(scene.get(KIND), 200);
    const limited = new Scene({ rateLimit: { ...rateLimit, limit: 1 } });
    await limited.get(KIND);
    limited.service.reset();
    await answers(limited.get(KIND), 200);
  });
});

describe("Consul stub: filter", () => {
  async function sceneWithServices(): Promise<Scene> {
    const scene = new Scene();
    await scene.put(defaults("web", { Protocol: "http", Meta: { team: "a" }, MaxInboundConnections: 5 }));
    await scene.put(defaults("api", { Protocol: "http" }));
    await scene.put(defaults("db", { Protocol: "tcp", ExternalSNI: "db.example.com" }));
    return scene;
  }
  const namesOf = ({ body }: { body: readonly { Name: string }[] }) => body.map(({ Name }) => Name);

  test.each([
    ['Protocol == "http"', ["api", "web"]],
    ['Protocol != "http" and Name == db', ["db"]],
    ["MaxInboundConnections == 5", ["web"]],
    ["Meta.team == a", ["web"]],
    ["Meta.absent == a", []],
    ["Meta is empty", ["api", "db"]],
    ['ExternalSNI != ""', ["db"]],
    ["UpstreamConfig.Overrides is empty", ["api", "db", "web"]],
    ["Namespace == default", ["api", "db", "web"]],
    ['Name matches "^[aw]"', ["api", "web"]],
    ["", ["api", "db", "web"]],
  ])("the filter %j returns %j", async (filter, names) => {
    const scene = await sceneWithServices();
    expect(namesOf(await scene.get(`${KIND}?filter=${encodeURIComponent(filter)}`))).toEqual(names);
  });

  test("an invalid filter returns 400 with the position of the error", async () => {
    const scene = await sceneWithServices();
    const { status, body } = await scene.get(`${KIND}?filter=${encodeURIComponent("Protocol ==")}`);
    expect(status).toBe(400);
    expect(body).toMatch(/^Failed to create boolean expression evaluator: 1:\d+: /);
  });

  test("a filter with an unknown field returns 400", async () => {
    const scene = await sceneWithServices();
    const { status, body } = await scene.get(`${KIND}?filter=${encodeURIComponent("Protcol == http")}`);
    expect(status).toBe(400);
    expect(body).toMatch(/^Failed to create boolean expression evaluator: /);
  });

  test("a read of one entry ignores the filter", async () => {
    const scene = await sceneWithServices();
    await answers(scene.get(`${WEB}?filter=Name==api`), 200);
  });
});

describe("Consul stub: seed", () => {
  test("adds normalized entries to their namespaces and datacenters", async () => {
    const entry = { kind: "service-defaults", name: "web", protocol: "HTTP" };
    const scene = new Scene(
      {},
      {
        entries: [
          { entry },
          { entry, namespace: "team" },
          { entry: { ...entry, Namespace: "other" } },
          { entry, datacenter: "dc2" },
        ],
      },
    );
    for (const query of ["", "?ns=team", "?ns=other", "?dc=dc2"]) {
      expect((await scene.entry("service-defaults", "web", query)).Protocol).toBe("http");
    }
  });

  test("validates each entry, but not the rules between entries", async () => {
    const scene = new Scene({}, { entries: [{ entry: SAMPLES["service-splitter"] }] });
    await answers(scene.get("/config/service-splitter/web"), 200);
    const wrong = { ...SAMPLES["service-splitter"], Splits: [] };
    expect(() => scene.service.seed({ entries: [{ entry: wrong }] })).toThrow("no splits configured");
    expect(() => scene.service.seed({ entries: [{ entry: { Kind: "x" } }] })).toThrow(
      "invalid config entry kind: x",
    );
  });

  test("a seeded change of an entry makes a cas with the old index return false", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web", { Protocol: "http" }));
    scene.service.seed({ entries: [{ entry: defaults("web", { Protocol: "grpc" }) }] });
    const { body } = await scene.put(defaults("web", { Protocol: "tcp" }), `?cas=${ModifyIndex}`);
    expect(body).toBe(FALSE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  });

  test("removes an entry and ignores an absent one", async () => {
    await scene.put(defaults("web"));
    scene.service.seed({
      removed: [
        { kind: "service-defaults", name: "web" },
        { kind: "mesh", name: "mesh" },
      ],
    });
    await answers(scene.get(WEB), 404);
  });

  test("reindexed increases ModifyIndex and changes no other field", async () => {
    const before = await scene.existing(intentions("web", { Name: "a", Action: "allow" }));
    scene.service.seed({ reindexed: [{ kind: "service-intentions", name: "web" }] });
    const after = await scene.entry("service-intentions", "web");
    expect(after).toEqual({ ...before, ModifyIndex: before.ModifyIndex + 1 });
  });

  test.each(["reindexed", "statuses"])("rejects %s of an absent entry", (what) => {
    const each = { kind: "mesh", name: "mesh", ...(what === "statuses" && { conditions: [] }) };
    expect(() => scene.service.seed({ [what]: [each] })).toThrow('the seed has no mesh "mesh"');
  });

  test("rejects an unknown datacenter without adding any entry", () => {
    const before = scene.service.dump();
    const entries = [{ entry: defaults("web") }, { entry: defaults("web"), datacenter: "dc9" }];
    expect(() => scene.service.seed({ entries })).toThrow("the seed has no datacenter dc9");
    expect(scene.service.dump()).toEqual(before);
    scene.service.seed({ datacenters: ["dc9"], entries });
    expect(scene.service.dump()).toHaveProperty("dc9");
  });

  test("adds tokens and namespaces to a running stub", async () => {
    await answers(scene.get(KIND, { as: "late" }), 403);
    scene.service.seed({ tokens: { late: { management: true, namespace: "new" } }, namespaces: ["new"] });
    expect((await scene.put(defaults("web"), "", { as: "late" })).body).toBe(TRUE);
    await answers(scene.get(`${WEB}?ns=new`), 200);
  });

  test("rejects an unknown seed key and an unknown switch", () => {
    expect(() => new MeshService({ switches: { dialect: "neutral" }, seed: { entry: [] } })).toThrow(
      "Unrecognized key",
    );
    expect(() => new Scene().service.configure({ add: true })).toThrow("Unrecognized key");
  });
});

describe("Consul stub: switches, dump and reset", () => {
  test("a change of one switch does not change the others", async () => {
    const scene = new Scene({ adds: false });
    await scene.put(defaults("web"));
    scene.service.configure({ dialect: "real" });
    const { headers, body } = await scene.get(WEB, { as: "", headers: { "x-consul-token": TOKENS.manager } });
    expect(headers).toHaveProperty("x-consul-index");
    expect(body).not.toHaveProperty("Hash");
  });

  test("a new datacenter of the agent can be used immediately", async () => {
    scene.service.configure({ datacenter: "eu" });
    expect((await scene.put(defaults("web"))).body).toBe(TRUE);
    expect(scene.service.dump()).toMatchObject({ eu: { entries: { "default/service-defaults/web": {} } } });
  });

  test("a dump contains plain data of each datacenter and no tokens", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    const dump = JSON.parse(JSON.stringify(scene.service.dump()));
    expect(dump).toEqual({
      dc1: {
        index: 2,
        entries: {
          "default/service-defaults/web": expect.objectContaining({
            body: { Protocol: "http" },
            modifyIndex: 2,
          }),
        },
      },
      dc2: { index: 1, entries: {} },
    });
    for (const token of Object.values(TOKENS)) expect(JSON.stringify(dump)).not.toContain(token);
  });

  test("a reset restores the initial seed and preserves tokens that were added later", async () => {
    const scene = new Scene({}, HTTP_WEB);
    const start = scene.service.dump();
    scene.service.seed({ tokens: { late: { management: true } }, namespaces: ["new"], datacenters: ["dc3"] });
    await scene.put(defaults("other"));
    await scene.remove(WEB);
    scene.service.reset();
    expect(scene.service.dump()).toEqual(start);
    await answers(scene.get(WEB, { as: "late" }), 200);
    await answers(scene.put(defaults("x"), "?ns=new"), 500);
  });

  test("a reset does not change the switches", async () => {
    const scene = new Scene({}, HTTP_WEB);
    scene.service.configure({ adds: false });
    scene.service.reset();
    expect(await scene.entry("service-defaults", "web")).not.toHaveProperty("Hash");
  });
});

describe("Consul stub over HTTP", () => {
  const TOKEN = "token-manager";
  let stub: Stub;

  beforeAll(async () => {
    stub = await startStub({
      dialect: "neutral",
      mesh: { seed: { tokens: { [TOKEN]: { management: true } } } },
    });
  });

  afterAll(() => stub.stop());
  beforeEach(() => stub.reset());

  function ask(method: string, path: string, body?: string): Promise<Response> {
    return fetch(`${stub.addresses.mesh}/v1${path}`, {
      method,
      headers: { "x-mesh-token": TOKEN },
      ...(body === undefined ? {} : { body }),
    });
  }

  test("writes, reads, lists and deletes an entry", async () => {
    const written = await ask("PUT", "/config?cas=0", '{"Kind":"service-defaults","Name":"web"}');
    expect([written.status, await written.text()]).toEqual([200, "true\n"]);
    expect(written.headers.get("content-type")).toBe("application/json");
    const read = await ask("GET", "/config/service-defaults/web");
    expect(read.headers.get("x-mesh-index")).toBe("2");
    expect(await read.json()).toMatchObject({ Kind: "service-defaults", Name: "web" });
    expect(await (await ask("GET", "/config/service-defaults")).json()).toHaveLength(1);
    expect(await (await ask("DELETE", "/config/service-defaults/web?cas=2")).text()).toBe("true\n");
    expect((await ask("GET", "/config/service-defaults/web")).status).toBe(404);
  });

  test("returns a 64-bit Hash exactly, and accepts it unchanged in a write", async () => {
    await ask("PUT", "/config", '{"Kind":"service-defaults","Name":"web","Protocol":"http"}');
    const before = await (await ask("GET", "/config/service-defaults/web")).text();
    const [, hash = ""] = /"Hash":(\d+)/.exec(before) ?? [];
    expect(BigInt(hash)).toBeGreaterThan(2n ** 63n);
    expect(parseExactly(before)).toHaveProperty("Hash", BigInt(hash));
    expect(await (await ask("PUT", "/config?cas=1", before)).text()).toBe("true\n");
    expect(await (await ask("GET", "/config/service-defaults/web")).text()).toBe(before);
  });

  test("decodes percent-encoded names, which can contain slashes", async () => {
    await ask("PUT", "/config", '{"Kind":"service-defaults","Name":"a b/c"}');
    for (const path of ["a%20b%2Fc", "a%20b/c"]) {
      expect((await ask("GET", `/config/service-defaults/${path}`)).status).toBe(200);
    }
  });

  test("returns 400 for a body that is not JSON, 405 for a wrong method, and 404 for an unknown path", async () => {
    const torn = await ask("PUT", "/config", '{"Kind":');
    expect([torn.status, await torn.text()]).toEqual([400, "Request decoding failed: the body is not JSON"]);
    const verb = await ask("POST", "/config", "{}");
    expect([verb.status, verb.headers.get("allow")]).toEqual([405, "PUT"]);
    expect((await ask("GET", "/configuration")).status).toBe(404);
    expect((await ask("GET", "/config")).status).toBe(405);
  });

  test("a blocking query returns after a write, or when its wait time has elapsed on the stub's clock", async () => {
    const change = ask("GET", "/config/mesh?index=1");
    await stub.awaitRequests({ method: "GET", path: "/v1/config/mesh" });
    await ask("PUT", "/config", '{"Kind":"mesh"}');
    expect(await (await change).json()).toHaveLength(1);
    const index = (await ask("GET", "/config/mesh")).headers.get("x-mesh-index");
    const nothing = ask("GET", `/config/mesh?index=${index}&wait=10m`);
    await stub.awaitRequests({ method: "GET", path: "/v1/config/mesh" }, 3);
    await stub.advance(11 * 60_000);
    expect((await nothing).headers.get("x-mesh-index")).toBe(index);
  });

  test("can be seeded, configured and dumped with the controls of the stub", async () => {
    await stub.seed("mesh", { entries: [{ entry: { Kind: "mesh" } }] });
    await stub.configure("mesh", { adds: false });
    const entry = await (await ask("GET", "/config/mesh/mesh")).json();
    expect(entry).toEqual({ Kind: "mesh", CreateIndex: 2, ModifyIndex: 2 });
    expect(await stub.dump("mesh")).toMatchObject({
      dc1: { entries: { "default/mesh/mesh": { name: "mesh" } } },
    });
    await stub.configure("mesh", { adds: true });
  });
});
