import { answers } from "./in-process";
import { defaults, FALSE, HTTP_WEB, SAMPLES, Scene, scene, TOKENS, TRUE, WRITABLE_KINDS } from "./mesh-scene";

const WEB = "/config/service-defaults/web";

describe("PUT /config", () => {
  test.each(WRITABLE_KINDS)("stores an entry of kind %s and answers true", async (kind) => {
    const scene = new Scene({ reconciles: false }, kind.startsWith("service-") ? HTTP_WEB : {});
    const { Name } = SAMPLES[kind];
    const sent = kind === "service-defaults" ? { ...SAMPLES[kind], Protocol: "grpc" } : SAMPLES[kind];
    const { status, headers, body } = await scene.put(sent);
    expect([status, body]).toEqual([200, TRUE]);
    expect(headers["content-type"]).toBe("application/json");
    expect((await scene.entry(kind, Name)).Kind).toBe(kind);
  });

  test("replaces the whole entry: what a write leaves out is gone", async () => {
    await scene.existing(defaults("web", { Protocol: "http", MaxInboundConnections: 5 }));
    const after = await scene.existing(defaults("web", { Protocol: "grpc" }));
    expect(after.Protocol).toBe("grpc");
    expect(after).not.toHaveProperty("MaxInboundConnections");
  });

  test("keeps CreateIndex and moves ModifyIndex", async () => {
    const first = await scene.existing(defaults("web", { Protocol: "http" }));
    const second = await scene.existing(defaults("web", { Protocol: "grpc" }));
    expect(first.CreateIndex).toBe(first.ModifyIndex);
    expect(second.CreateIndex).toBe(first.CreateIndex);
    expect(second.ModifyIndex).toBeGreaterThan(first.ModifyIndex);
  });

  test("gives every change of a datacenter an index of its own", async () => {
    const web = await scene.existing(defaults("web"));
    const db = await scene.existing(defaults("db"));
    expect(db.ModifyIndex).toBe(web.ModifyIndex + 1);
  });
});

describe("PUT /config: cas", () => {
  test("0 stores where there is no such entry", async () => {
    expect((await scene.put(defaults("web"), "?cas=0")).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Name).toBe("web");
  });

  test("0 stores nothing where there is one: 200 with false", async () => {
    const before = await scene.existing(defaults("web", { Protocol: "http" }));
    await answers(scene.put(defaults("web", { Protocol: "grpc" }), "?cas=0"), 200, FALSE);
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });

  test("the current ModifyIndex stores", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web", { Protocol: "http" }));
    const { body } = await scene.put(defaults("web", { Protocol: "grpc" }), `?cas=${ModifyIndex}`);
    expect(body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  });

  test.each([-1, 1, 1_000])("an index that is off by %d stores nothing: 200 with false", async (off) => {
    await scene.existing(defaults("other"));
    const before = await scene.existing(defaults("web", { Protocol: "http" }));
    const { ModifyIndex } = before;
    const { status, body } = await scene.put(
      defaults("web", { Protocol: "grpc" }),
      `?cas=${ModifyIndex + off}`,
    );
    expect([status, body]).toEqual([200, FALSE]);
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });

  test("an index where there is no such entry stores nothing", async () => {
    expect((await scene.put(defaults("web"), "?cas=7")).body).toBe(FALSE);
    await answers(scene.get(WEB), 404);
  });

  test("an entry that was deleted and made again has another index", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web", { Protocol: "http" }));
    await scene.remove(WEB);
    await scene.existing(defaults("web", { Protocol: "http" }));
    const { body } = await scene.put(defaults("web", { Protocol: "grpc" }), `?cas=${ModifyIndex}`);
    expect(body).toBe(FALSE);
  });

  test.each(["", "?cas="])("absent (%p) it stores in any case", async (query) => {
    await scene.existing(defaults("web", { Protocol: "http" }));
    expect((await scene.put(defaults("web", { Protocol: "grpc" }), query)).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("grpc");
  });

  test.each(["?cas=0", "?cas=1", "?cas=999", ""])(
    "what is stored already answers true with %p, and leaves the index",
    async (query) => {
      const entry = defaults("web", { Protocol: "http", Meta: { a: "1", b: "2" } });
      const before = await scene.existing(entry);
      const again = { Meta: { b: "2", a: "1" }, Name: "web", Protocol: "HTTP", Kind: "service-defaults" };
      expect((await scene.put(again, query)).body).toBe(TRUE);
      expect(await scene.entry("service-defaults", "web")).toEqual(before);
    },
  );

  test("what a read answered may be written back: it is the same entry", async () => {
    const scene = new Scene({}, HTTP_WEB);
    for (const kind of WRITABLE_KINDS) {
      await scene.put(SAMPLES[kind]);
      const before = await scene.entry(kind, SAMPLES[kind].Name);
      expect((await scene.put(before, "?cas=1")).body).toBe(TRUE);
      expect(await scene.entry(kind, SAMPLES[kind].Name)).toEqual(before);
    }
  });

  test.each(["x", "-1", "1.5", "18446744073709551616"])("%p is no index: 500", async (cas) => {
    const { status, body } = await scene.put(defaults("web"), `?cas=${cas}`);
    expect(status).toBe(500);
    expect(body).toMatch(/^strconv\.ParseUint: parsing /);
    await answers(scene.get(WEB), 404);
  });

  test("the greatest index of 64 bits is one, and not the entry's", async () => {
    await scene.existing(defaults("web"));
    await answers(scene.put(defaults("web", { Protocol: "tcp" }), `?cas=${2n ** 64n - 1n}`), 200, FALSE);
  });
});

describe("GET /config/:kind/:name", () => {
  test("answers one entry", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    const { status, headers, body } = await scene.get(WEB);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(body).toMatchObject({ Kind: "service-defaults", Name: "web", Protocol: "http" });
    expect(body.CreateIndex).toEqual(expect.any(Number));
    expect(body.ModifyIndex).toEqual(expect.any(Number));
  });

  test("says in a 404 of an absent one which it is", async () => {
    const { status, headers, body } = await scene.get(WEB);
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(body).toBe('Config entry not found for "service-defaults" / "web"');
  });

  test("takes a name with a slash", async () => {
    await scene.put(defaults("team/web", { Protocol: "http" }));
    expect((await scene.entry("service-defaults", "team/web")).Name).toBe("team/web");
    expect((await scene.entry("service-defaults", "team%2Fweb")).Name).toBe("team/web");
  });
});

describe("GET /config/:kind", () => {
  test("answers the entries of the kind by name, and no others", async () => {
    await scene.put(defaults("web"));
    await scene.put(defaults("api"));
    await scene.put(SAMPLES.mesh);
    const { status, body } = await scene.get("/config/service-defaults");
    expect(status).toBe(200);
    expect(body.map(({ Name }: { Name: string }) => Name)).toEqual(["api", "web"]);
    expect(body[1]).toEqual(await scene.entry("service-defaults", "web"));
  });

  test.each([...WRITABLE_KINDS, "bound-api-gateway"])(
    "answers [] for kind %s with no entries",
    async (kind) => {
      await answers(scene.get(`/config/${kind}`), 200, []);
    },
  );
});

describe("DELETE /config/:kind/:name", () => {
  test.each(WRITABLE_KINDS)("deletes an entry of kind %s", async (kind) => {
    const scene = new Scene({}, kind.startsWith("service-") ? HTTP_WEB : {});
    await scene.put(SAMPLES[kind]);
    const path = `/config/${kind}/${SAMPLES[kind].Name}`;
    const { status, headers, body } = await scene.remove(path);
    expect([status, body]).toEqual([200, {}]);
    expect(headers["content-type"]).toBe("application/json");
    await answers(scene.get(path), 404);
  });

  test("answers {} for what is not there", async () => {
    expect(await scene.remove(WEB)).toMatchObject({ status: 200, body: {} });
  });

  test("deletes with the entry's ModifyIndex as cas, and answers true", async () => {
    const { ModifyIndex } = await scene.existing(defaults("web"));
    await answers(scene.remove(`${WEB}?cas=${ModifyIndex}`), 200, TRUE);
    await answers(scene.get(WEB), 404);
  });

  test.each([
    ["0", () => 0],
    ["an older index", (index: number) => index - 1],
    ["a newer index", (index: number) => index + 1],
  ])("deletes nothing with cas %s: 200 with false", async (_name, cas) => {
    await scene.existing(defaults("other"));
    const before = await scene.existing(defaults("web"));
    const answer = await scene.remove(`${WEB}?cas=${cas(before.ModifyIndex)}`);
    expect(answer).toMatchObject({ status: 200, body: FALSE });
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });

  test.each([0, 1, 99])("answers true with cas %d for what is not there", async (cas) => {
    await answers(scene.remove(`${WEB}?cas=${cas}`), 200, TRUE);
  });

  test("refuses a cas that is no number", async () => {
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

  test.each(["proxy-defaults", "mesh"] as const)("a body of %s needs no name", async (kind) => {
    const { Name, ...nameless } = SAMPLES[kind];
    expect((await scene.put(nameless)).body).toBe(TRUE);
    await answers(scene.get(`/config/${kind}/${Name}`), 200);
  });

  test("a read of mesh carries no Name", async () => {
    expect(await scene.existing(SAMPLES.mesh)).not.toHaveProperty("Name");
    expect((await scene.get("/config/mesh")).body[0]).not.toHaveProperty("Name");
  });

  test.each([{ meshHasName: false }, { dialect: "real" as const, acl: false }])(
    "a body of mesh with a Name is refused, as the real product does, with %j",
    async (switches) => {
      const scene = new Scene(switches);
      const { Name: _, ...nameless } = SAMPLES.mesh;
      expect(await scene.put(SAMPLES.mesh)).toMatchObject({ status: 400 });
      expect((await scene.put(nameless)).body).toBe(TRUE);
    },
  );

  test.each(WRITABLE_KINDS.filter((kind) => kind !== "proxy-defaults" && kind !== "mesh"))(
    "a body of %s without a name is refused",
    async (kind) => {
      const { Name: _, ...nameless } = SAMPLES[kind];
      await answers(scene.put(nameless), 500, "Name is required");
    },
  );

  test("an unknown kind is 400 everywhere", async () => {
    const text = "invalid config entry kind: sameness";
    await answers(scene.put({ Kind: "sameness", Name: "x" }), 400, `Request decoding failed: ${text}`);
    await answers(scene.get("/config/sameness/x"), 400, text);
    await answers(scene.get("/config/sameness"), 400, text);
    await answers(scene.remove("/config/sameness/x"), 400, text);
  });

  test("bound-api-gateway is never writable, not even for a manager", async () => {
    await scene.put(SAMPLES["api-gateway"]);
    const refusal = { status: 403, body: "Permission denied: only writeable by controller" };
    expect(await scene.put({ Kind: "bound-api-gateway", Name: "front" })).toMatchObject(refusal);
    expect(await scene.remove("/config/bound-api-gateway/front")).toMatchObject(refusal);
    await answers(scene.get("/config/bound-api-gateway/front"), 200);
  });
});

describe("Datacenters: dc", () => {
  test("each has its own entries, and the agent's own is the default", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    await scene.put(defaults("web", { Protocol: "grpc" }), "?dc=dc2");
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
    expect((await scene.entry("service-defaults", "web", "?dc=dc1")).Protocol).toBe("http");
    expect((await scene.entry("service-defaults", "web", "?dc=dc2")).Protocol).toBe("grpc");
    await scene.remove(`${WEB}?dc=dc2`);
    await answers(scene.get(`${WEB}?dc=dc2`), 404);
    await answers(scene.get(WEB), 200);
  });

  test("each has its own index", async () => {
    const first = await scene.existing(defaults("web"));
    await scene.put(defaults("api"));
    const other = await scene.existing(defaults("web"), "?dc=dc2");
    expect(other.ModifyIndex).toBe(first.ModifyIndex);
  });

  test.each(["GET", "PUT", "DELETE"])("%s with an unknown one is 500", async (method) => {
    const path = method === "PUT" ? "/config" : WEB;
    const body = method === "PUT" ? defaults("web") : undefined;
    const answer = await scene.send(method, `${path}?dc=nowhere`, body);
    expect(answer).toMatchObject({ status: 500, body: "No path to datacenter" });
  });

  test("the agent's own can have another name", async () => {
    const scene = new Scene({ datacenter: "eu" });
    await scene.put(defaults("web"));
    await answers(scene.get(`${WEB}?dc=eu`), 200);
    await answers(scene.get(`${WEB}?dc=dc1`), 500);
  });
});

describe("Namespaces: order of precedence", () => {
  const header = (namespace: string) => ({ headers: { "x-mesh-namespace": namespace } });
  const member = { as: TOKENS.teamMember };
  const inBody = defaults("web", { Namespace: "other" });

  /** Where the one entry that there is stands. */
  async function whereIs(scene: Scene): Promise<string[]> {
    const { body } = await scene.get("/config/service-defaults?ns=*");
    return body.map(({ Namespace }: { Namespace: string }) => Namespace);
  }

  test.each([
    ["the query comes first", inBody, "?ns=team", header("default"), "team"],
    ["then the header", inBody, "", header("team"), "team"],
    ["then the body", inBody, "", member, "other"],
    ["then the token's namespace", defaults("web"), "", member, "team"],
    ["then the default one", defaults("web"), "", {}, "default"],
    ["an empty query says nothing", defaults("web"), "?ns=", header("team"), "team"],
  ])("of a write: %s", async (_name, entry, query, sent, namespace) => {
    expect((await scene.put(entry, query, sent)).body).toBe(TRUE);
    expect(await whereIs(scene)).toEqual([namespace]);
  });

  test.each([
    ["the query comes first", "?ns=team", header("other")],
    ["then the header", "", header("team")],
    ["then the token's namespace", "", member],
  ])("of a read, a list and a delete: %s", async (_name, query, sent) => {
    await scene.put(defaults("web"), "?ns=team");
    await answers(scene.get(WEB), 404);
    expect(await scene.get(`${WEB}${query}`, sent)).toMatchObject({
      status: 200,
      body: { Namespace: "team" },
    });
    expect((await scene.get(`/config/service-defaults${query}`, sent)).body).toHaveLength(1);
    await scene.remove(WEB);
    expect(await whereIs(scene)).toEqual(["team"]);
    await scene.remove(`${WEB}${query}`, sent);
    expect(await whereIs(scene)).toEqual([]);
  });

  test("one name can be there in each namespace", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    expect((await scene.put(defaults("web", { Protocol: "grpc" }), "?ns=team&cas=0")).body).toBe(TRUE);
    expect((await scene.entry("service-defaults", "web")).Protocol).toBe("http");
    expect(await whereIs(scene)).toEqual(["default", "team"]);
  });

  test("nothing can be written into an unknown one, and nothing is found there", async () => {
    await answers(scene.put(defaults("web"), "?ns=nowhere"), 500, 'Namespace "nowhere" does not exist');
    await answers(scene.get(`${WEB}?ns=nowhere`), 404);
    expect((await scene.get("/config/service-defaults?ns=nowhere")).body).toEqual([]);
  });

  test("only intentions can be for every namespace", async () => {
    const everything = {
      Kind: "service-intentions",
      Name: "*",
      Sources: [{ Name: "*", Namespace: "*", Action: "deny" }],
    };
    expect((await scene.put(everything, "?ns=*")).body).toBe(TRUE);
    await answers(scene.put(defaults("web"), "?ns=*"), 500);
  });
});
