import { answers } from "./in-process";
import { defaults, FALSE, HTTP_WEB, SAMPLES, Scene, scene, TOKENS, TRUE, WRITABLE_KINDS } from "./mesh-scene";

const WEB = "/config/service-defaults/web";

describe("PUT /config", () => {
  test.each(WRITABLE_KINDS)("stores an entry of kind %s and returns true", async (kind) => {
    const scene = new Scene({ reconciles: false }, kind.startsWith("service-") ? HTTP_WEB : {});
    const { Name } = SAMPLES[kind];
    const sent = kind === "service-defaults" ? { ...SAMPLES[kind], Protocol: "grpc" } : SAMPLES[kind];
    const { status, headers, body } = await scene.put(sent);
    expect([status, body]).toEqual([200, TRUE]);
    expect(headers["content-type"]).toBe("application/json");
    expect((await scene.entry(kind, Name)).Kind).toBe(kind);
  });

  test("replaces the entry and removes omitted fields", async () => {
    await scene.existing(defaults("web", { Protocol: "http", MaxInboundConnections: 5 }));
    const after = await scene.existing(defaults("web", { Protocol: "grpc" }));
    expect(after.Protocol).toBe("grpc");
    expect(after).not.toHaveProperty("MaxInboundConnections");
  });

  test("an update increases ModifyIndex and does not change CreateIndex", async () => {
    const first = await scene.existing(defaults("web", { Protocol: "http" }));
    const second = await scene.existing(defaults("web", { Protocol: "grpc" }));
    expect(first.CreateIndex).toBe(first.ModifyIndex);
    expect(second.CreateIndex).toBe(first.CreateIndex);
    expect(second.ModifyIndex).toBeGreaterThan(first.ModifyIndex);
  });

  test("each change in a datacenter increases the index by 1", async () => {
    const web = await scene.existing(defaults("web"));
    const db = await scene.existing(defaults("db"));
    expect(db.ModifyIndex).toBe(web.ModifyIndex + 1);
  });
});

describe("PUT /config with cas", () => {
  test("0 creates an entry that does not exist", async () => {
    expect((await scene.put(defaults("web"), "?cas=0")).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Name).toBe("web");
  });

  test("0 does not change an existing entry and returns 200 with false", async () => {
    const before = await scene.existing(defaults("web", { Protocol: "http" }));
    await answers(scene.put(defaults("web", { Protocol: "grpc" }), "?cas=0"), 200, FALSE);
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });

  test("the current ModifyIndex updates the entry", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web", { Protocol: "http" }));
    const { body } = await scene.put(defaults("web", { Protocol: "grpc" }), `?cas=${ModifyIndex}`);
    expect(body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  });

  test.each([-1, 1, 1_000])(
    "an index that differs from ModifyIndex by %d changes nothing and returns 200 with false",
    async (off) => {
      await scene.existing(defaults("other"));
      const before = await scene.existing(defaults("web", { Protocol: "http" }));
      const { ModifyIndex } = before;
      const { status, body } = await scene.put(
        defaults("web", { Protocol: "grpc" }),
        `?cas=${ModifyIndex + off}`,
      );
      expect([status, body]).toEqual([200, FALSE]);
      expect(await scene.entry("service-defaults", "web")).toEqual(before);
    },
  );

  test("an index other than 0 does not create an entry and returns false", async () => {
    expect((await scene.put(defaults("web"), "?cas=7")).body).toBe(FALSE);
    await answers(scene.get(WEB), 404);
  });

  test("the old index of a deleted and recreated entry returns false", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web", { Protocol: "http" }));
    await scene.remove(WEB);
    await scene.existing(defaults("web", { Protocol: "http" }));
    const { body } = await scene.put(defaults("web", { Protocol: "grpc" }), `?cas=${ModifyIndex}`);
    expect(body).toBe(FALSE);
  });

  test.each(["", "?cas="])("without a value (%p), the entry is updated unconditionally", async (query) => {
    await scene.existing(defaults("web", { Protocol: "http" }));
    expect((await scene.put(defaults("web", { Protocol: "grpc" }), query)).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  });

  test.each(["?cas=0", "?cas=1", "?cas=999", ""])(
    "writing identical content with %p returns true and does not change the index",
    async (query) => {
      const entry = defaults("web", { Protocol: "http", Meta: { a: "1", b: "2" } });
      const before = await scene.existing(entry);
      const again = { Meta: { b: "2", a: "1" }, Name: "web", Protocol: "HTTP", Kind: "service-defaults" };
      expect((await scene.put(again, query)).body).toBe(TRUE);
      expect(await scene.entry("service-defaults", "web")).toEqual(before);
    },
  );

  test("writing the response of a read returns true and does not change the entry", async () => {
    const scene = new Scene({}, HTTP_WEB);
    for (const kind of WRITABLE_KINDS) {
      await scene.put(SAMPLES[kind]);
      const before = await scene.entry(kind, SAMPLES[kind].Name);
      expect((await scene.put(before, "?cas=1")).body).toBe(TRUE);
      expect(await scene.entry(kind, SAMPLES[kind].Name)).toEqual(before);
    }
  });

  test.each(["x", "-1", "1.5", "18446744073709551616"])(
    "the invalid index %p returns 500 and stores nothing",
    async (cas) => {
      const { status, body } = await scene.put(defaults("web"), `?cas=${cas}`);
      expect(status).toBe(500);
      expect(body).toMatch(/^strconv\.ParseUint: parsing /);
      await answers(scene.get(WEB), 404);
    },
  );

  test("the largest 64-bit index is valid, does not match and returns false", async () => {
    await scene.existing(defaults("web"));
    await answers(scene.put(defaults("web", { Protocol: "tcp" }), `?cas=${2n ** 64n - 1n}`), 200, FALSE);
  });
});

describe("GET /config/:kind/:name", () => {
  test("returns the entry with its indexes", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    const { status, headers, body } = await scene.get(WEB);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(body).toMatchObject({ Kind: "service-defaults", Name: "web", Protocol: "http" });
    expect(body.CreateIndex).toEqual(expect.any(Number));
    expect(body.ModifyIndex).toEqual(expect.any(Number));
  });

  test("returns 404 with the kind and the name of an absent entry", async () => {
    const { status, headers, body } = await scene.get(WEB);
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(body).toBe('Config entry not found for "service-defaults" / "web"');
  });

  test("accepts a name with a slash, also percent-encoded", async () => {
    await scene.put(defaults("team/web", { Protocol: "http" }));
    expect((await scene.entry("service-defaults", "team/web")).Name).toBe("team/web");
    expect((await scene.entry("service-defaults", "team%2Fweb")).Name).toBe("team/web");
  });
});

describe("GET /config/:kind", () => {
  test("returns only the entries of the kind, sorted by name", async () => {
    await scene.put(defaults("web"));
    await scene.put(defaults("api"));
    await scene.put(SAMPLES.mesh);
    const { status, body } = await scene.get("/config/service-defaults");
    expect(status).toBe(200);
    expect(body.map(({ Name }: { Name: string }) => Name)).toEqual(["api", "web"]);
    expect(body[1]).toEqual(await scene.entry("service-defaults", "web"));
  });

  test.each([...WRITABLE_KINDS, "bound-api-gateway"])(
    "returns [] for kind %s without entries",
    async (kind) => {
      await answers(scene.get(`/config/${kind}`), 200, []);
    },
  );
});

describe("DELETE /config/:kind/:name", () => {
  test.each(WRITABLE_KINDS)("deletes an entry of kind %s and returns {}", async (kind) => {
    const scene = new Scene({}, kind.startsWith("service-") ? HTTP_WEB : {});
    await scene.put(SAMPLES[kind]);
    const path = `/config/${kind}/${SAMPLES[kind].Name}`;
    const { status, headers, body } = await scene.remove(path);
    expect([status, body]).toEqual([200, {}]);
    expect(headers["content-type"]).toBe("application/json");
    await answers(scene.get(path), 404);
  });

  test("returns {} for an absent entry", async () => {
    expect(await scene.remove(WEB)).toMatchObject({ status: 200, body: {} });
  });

  test("deletes the entry with its ModifyIndex as cas and returns true", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web"));
    await answers(scene.remove(`${WEB}?cas=${ModifyIndex}`), 200, TRUE);
    await answers(scene.get(WEB), 404);
  });

  test.each([
    ["0", () => 0],
    ["an older index", (index: number) => index - 1],
    ["a newer index", (index: number) => index + 1],
  ])("deletes nothing with %s as cas and returns 200 with false", async (_name, cas) => {
    await scene.existing(defaults("other"));
    const before = await scene.existing(defaults("web"));
    const answer = await scene.remove(`${WEB}?cas=${cas(before.ModifyIndex)}`);
    expect(answer).toMatchObject({ status: 200, body: FALSE });
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });

  test.each([0, 1, 99])("returns true with cas %d for an absent entry", async (cas) => {
    await answers(scene.remove(`${WEB}?cas=${cas}`), 200, TRUE);
  });

  test("returns 500 and deletes nothing if cas is not a number", async () => {
    await scene.existing(defaults("web"));
    await answers(scene.remove(`${WEB}?cas=x`), 500);
    await answers(scene.get(WEB), 200);
  });
});

describe("Names and kinds", () => {
  test.each([
    ["proxy-defaults", "global"],
    ["mesh", "mesh"],
  ] as const)("%s must be named %s", async (kind, name) => {
    const text = `invalid name ("other"), only "${name}" is supported`;
    const sent = { ...SAMPLES[kind], Name: "other" };
    await answers(scene.put(sent), 500, text);
    await answers(scene.remove(`/config/${kind}/other`), 500, text);
    await answers(scene.get(`/config/${kind}/other`), 404);
  });

  test.each(["proxy-defaults", "mesh"] as const)("a write of %s does not need a name", async (kind) => {
    const { Name, ...nameless } = SAMPLES[kind];
    expect((await scene.put(nameless)).body).toBe(TRUE);
    await answers(scene.get(`/config/${kind}/${Name}`), 200);
  });

  test("a read and a list of mesh return no Name", async () => {
    expect(await scene.existing(SAMPLES.mesh)).not.toHaveProperty("Name");
    expect((await scene.get("/config/mesh")).body[0]).not.toHaveProperty("Name");
  });

  test.each([{ meshHasName: false }, { dialect: "real" as const, acl: false }])(
    "rejects a write of mesh with a Name, as Consul does, with the switches %j",
    async (switches) => {
      const scene = new Scene(switches);
      const { Name: _, ...nameless } = SAMPLES.mesh;
      expect(await scene.put(SAMPLES.mesh)).toMatchObject({ status: 400 });
      expect((await scene.put(nameless)).body).toBe(TRUE);
    },
  );

  test.each(WRITABLE_KINDS.filter((kind) => kind !== "proxy-defaults" && kind !== "mesh"))(
    "rejects a write of %s without a name",
    async (kind) => {
      const { Name: _, ...nameless } = SAMPLES[kind];
      await answers(scene.put(nameless), 500, "Name is required");
    },
  );

  test("a write, a read, a list and a delete of an unknown kind return 400", async () => {
    const text = "invalid config entry kind: sameness";
    await answers(scene.put({ Kind: "sameness", Name: "x" }), 400, `Request decoding failed: ${text}`);
    await answers(scene.get("/config/sameness/x"), 400, text);
    await answers(scene.get("/config/sameness"), 400, text);
    await answers(scene.remove("/config/sameness/x"), 400, text);
  });

  test("a write and a delete of bound-api-gateway return 403, also for a management token", async () => {
    await scene.put(SAMPLES["api-gateway"]);
    const refusal = { status: 403, body: "Permission denied: only writeable by controller" };
    expect(await scene.put({ Kind: "bound-api-gateway", Name: "front" })).toMatchObject(refusal);
    expect(await scene.remove("/config/bound-api-gateway/front")).toMatchObject(refusal);
    await answers(scene.get("/config/bound-api-gateway/front"), 200);
  });
});

describe("Parameter dc", () => {
  test("selects the datacenter of writes, reads and deletes; the default is the agent's datacenter", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    await scene.put(defaults("web", { Protocol: "grpc" }), "?dc=dc2");
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
    expect((await scene.entry("service-defaults", "web", "?dc=dc1")).Protocol).toBe("http");
    expect((await scene.entry("service-defaults", "web", "?dc=dc2")).Protocol).toBe("grpc");
    await scene.remove(`${WEB}?dc=dc2`);
    await answers(scene.get(`${WEB}?dc=dc2`), 404);
    await answers(scene.get(WEB), 200);
  });

  test("each datacenter has its own index", async () => {
    const first = await scene.existing(defaults("web"));
    await scene.put(defaults("api"));
    const other = await scene.existing(defaults("web"), "?dc=dc2");
    expect(other.ModifyIndex).toBe(first.ModifyIndex);
  });

  test.each(["GET", "PUT", "DELETE"])("%s with an unknown datacenter returns 500", async (method) => {
    const path = method === "PUT" ? "/config" : WEB;
    const body = method === "PUT" ? defaults("web") : undefined;
    const answer = await scene.send(method, `${path}?dc=nowhere`, body);
    expect(answer).toMatchObject({ status: 500, body: "No path to datacenter" });
  });

  test("the name of the agent's datacenter can be set with the datacenter switch", async () => {
    const scene = new Scene({ datacenter: "eu" });
    await scene.put(defaults("web"));
    await answers(scene.get(`${WEB}?dc=eu`), 200);
    await answers(scene.get(`${WEB}?dc=dc1`), 500);
  });
});

describe("Namespaces: order of precedence", () => {
  const header = (namespace: string) => ({ headers: { "x-mesh-namespace": namespace } });
  const asTeamMember = { as: TOKENS.teamMember };
  const inBody = defaults("web", { Namespace: "other" });

  /** The namespaces that contain a service-defaults entry. */
  async function namespacesOfEntries(scene: Scene): Promise<string[]> {
    const { body } = await scene.get("/config/service-defaults?ns=*");
    return body.map(({ Namespace }: { Namespace: string }) => Namespace);
  }

  test.each([
    ["the ns parameter before the header", inBody, "?ns=team", header("default"), "team"],
    ["the header before the body", inBody, "", header("team"), "team"],
    ["the body before the token's namespace", inBody, "", asTeamMember, "other"],
    ["the token's namespace before the default namespace", defaults("web"), "", asTeamMember, "team"],
    ["the default namespace", defaults("web"), "", {}, "default"],
    ["the header if the ns parameter is empty", defaults("web"), "?ns=", header("team"), "team"],
  ])("a write uses %s", async (_name, entry, query, sent, namespace) => {
    expect((await scene.put(entry, query, sent)).body).toBe(TRUE);
    expect(await namespacesOfEntries(scene)).toEqual([namespace]);
  });

  test.each([
    ["the ns parameter before the header", "?ns=team", header("other")],
    ["the header before the default namespace", "", header("team")],
    ["the token's namespace before the default namespace", "", asTeamMember],
  ])("a read, a list and a delete use %s", async (_name, query, sent) => {
    await scene.put(defaults("web"), "?ns=team");
    await answers(scene.get(WEB), 404);
    expect(await scene.get(`${WEB}${query}`, sent)).toMatchObject({
      status: 200,
      body: { Namespace: "team" },
    });
    expect((await scene.get(`/config/service-defaults${query}`, sent)).body).toHaveLength(1);
    await scene.remove(WEB);
    expect(await namespacesOfEntries(scene)).toEqual(["team"]);
    await scene.remove(`${WEB}${query}`, sent);
    expect(await namespacesOfEntries(scene)).toEqual([]);
  });

  test("each namespace can have an entry with the same name", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    expect((await scene.put(defaults("web", { Protocol: "grpc" }), "?ns=team&cas=0")).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
    expect(await namespacesOfEntries(scene)).toEqual(["default", "team"]);
  });

  test("in an unknown namespace, a write returns 500, a read 404 and a list []", async () => {
    await answers(scene.put(defaults("web"), "?ns=nowhere"), 500, 'Namespace "nowhere" does not exist');
    await answers(scene.get(`${WEB}?ns=nowhere`), 404);
    expect((await scene.get("/config/service-defaults?ns=nowhere")).body).toEqual([]);
  });

  test("ns=* is valid for service-intentions and returns 500 for service-defaults", async () => {
    const everything = {
      Kind: "service-intentions",
      Name: "*",
      Sources: [{ Name: "*", Namespace: "*", Action: "deny" }],
    };
    expect((await scene.put(everything, "?ns=*")).body).toBe(TRUE);
    await answers(scene.put(defaults("web"), "?ns=*"), 500);
  });
});
