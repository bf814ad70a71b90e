import { defaults, HTTP_WEB, SAMPLES, Scene, scene, TRUE, WRITABLE_KINDS } from "./mesh-scene";

const FAILED = "Request decoding failed: ";

/** What the service answers to a body that it cannot read. */
async function refusal(body: unknown): Promise<string> {
  const answer = await new Scene().put(body);
  expect(answer.status).toBe(400);
  expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
  expect(answer.body).toMatch(FAILED);
  return String(answer.body).slice(FAILED.length);
}

describe("A body that is no entry is 400 and says why", () => {
  test.each([
    ["no JSON", "{", "the body is not JSON"],
    ["a list", [], "the body is not an object"],
    ["nothing", null, "the body is not an object"],
    ["without a kind", { Name: "web" }, "Payload does not contain a kind/Kind key at the top level"],
    ["with a kind that is no text", { Kind: 5 }, "Kind value in payload is not a string"],
    ["with an empty kind", { Kind: "" }, "invalid config entry kind: "],
    [
      "with a kind in another case",
      { Kind: "Service-Defaults" },
      "invalid config entry kind: Service-Defaults",
    ],
    [
      "of the wrong type",
      defaults("web", { UpstreamConfig: "x" }),
      "1 error(s) decoding:\n\n* 'UpstreamConfig' expected a map, got 'string'",
    ],
  ])("%s", async (_name, body, text) => {
    expect(await refusal(body)).toBe(text);
  });

  test.each(
    Object.entries({
      "'Protocol' expected type 'string', got unconvertible type 'map[string]interface {}'": { Protocol: {} },
      "'Protocol' expected type 'string', got unconvertible type '[]interface {}'": { Protocol: ["a"] },
      "cannot parse 'MaxInboundConnections' as int: strconv.ParseInt: parsing \"many\": invalid syntax": {
        MaxInboundConnections: "many",
      },
      "cannot parse 'TransparentProxy.DialedDirectly' as bool: strconv.ParseBool: parsing \"perhaps\": invalid syntax":
        { TransparentProxy: { DialedDirectly: "perhaps" } },
      "cannot parse 'UpstreamConfig.Defaults.PassiveHealthCheck.MaxFailures', -1 overflows uint": {
        UpstreamConfig: { Defaults: { PassiveHealthCheck: { MaxFailures: -1 } } },
      },
      "error decoding 'UpstreamConfig.Defaults.PassiveHealthCheck.Interval': time: invalid duration \"soon\"":
        { UpstreamConfig: { Defaults: { PassiveHealthCheck: { Interval: "soon" } } } },
      "'UpstreamConfig.Overrides[1]' expected a map, got 'bool'": {
        UpstreamConfig: { Overrides: [{ Name: "a" }, true] },
      },
      "'Meta' expected a map, got 'string'": { Meta: "x" },
      "'Meta[a]' expected type 'string', got unconvertible type 'map[string]interface {}'": {
        Meta: { a: {} },
      },
    }),
  )("with a field of another type: %s", async (text, fields) => {
    expect(await refusal(defaults("web", fields))).toBe(`1 error(s) decoding:\n\n* ${text}`);
  });

  test("all wrong types are named at once", async () => {
    const text = await refusal(defaults("web", { Expose: 1, MeshGateway: "x" }));
    expect(text).toMatch(/^2 error\(s\) decoding:\n\n\* 'Expose' .*\n\* 'MeshGateway' /);
  });

  test("a weight that is no number", async () => {
    const text = await refusal({ Kind: "service-splitter", Name: "web", Splits: [{ Weight: "half" }] });
    expect(text).toContain("cannot parse 'Splits[0].Weight' as float");
  });
});

describe("Unknown fields are 400 and named by their paths", () => {
  test.each(WRITABLE_KINDS)("at the top of %s", async (kind) => {
    const text = await refusal({ ...SAMPLES[kind], Surprise: 1 });
    expect(text).toBe('1 error occurred:\n\t* invalid config key "Surprise"\n\n');
  });

  test("inside, and all at once", async () => {
    const text = await refusal(
      defaults("web", { UpstreamConfig: { Overrides: [{ Name: "a" }, { Nmae: "b" }] }, Protcol: "http" }),
    );
    expect(text).toBe(
      '2 errors occurred:\n\t* invalid config key "UpstreamConfig.Overrides[1].Nmae"\n\t* invalid config key "Protcol"\n\n',
    );
  });

  test("a field of one kind is none of another", async () => {
    const text = await refusal({ ...SAMPLES["service-splitter"], Routes: [] });
    expect(text).toContain('invalid config key "Routes"');
  });

  test.each(["Contains", "IgnoreCase"])(
    "a router's header match has no %s, which intentions have",
    async (member) => {
      const Header = [{ Name: "a", [member]: member === "Contains" ? "b" : true }];
      const text = await refusal({
        Kind: "service-router",
        Name: "web",
        Routes: [{ Match: { HTTP: { Header } } }],
      });
      expect(text).toContain(`invalid config key "Routes[0].Match.HTTP.Header[0].${member}"`);
    },
  );

  test("only kinds with a status of the service's own may be sent one", async () => {
    expect(await refusal(defaults("web", { Status: {} }))).toContain('invalid config key "Status"');
    const gateway = { ...SAMPLES["api-gateway"], Status: { Conditions: [{ Type: "Mine" }] } };
    const scene = new Scene({ reconciles: false });
    expect((await scene.existing(gateway)).Status).toEqual({ Conditions: null });
  });

  test("the user's own maps may have any key", async () => {
    const meta = { Name: "x", "a.b": "y", constructor: "z" };
    expect((await scene.existing(defaults("web", { Meta: meta }))).Meta).toEqual(meta);
    const config = { protocol: "http", Nested: { any: [1, "two", { three: null }] }, big: 2 ** 40 };
    const entry = await scene.existing({ Kind: "proxy-defaults", Name: "global", Config: config } as never);
    expect(entry.Config).toEqual(config);
  });
});

describe("Spelling of names", () => {
  test.each([
    [
      "in any case",
      { kind: "service-defaults", NAME: "web", protocol: "http", MESHGATEWAY: { mode: "local" } },
    ],
    [
      "in snake case",
      { Kind: "service-defaults", name: "web", protocol: "http", mesh_gateway: { Mode: "local" } },
    ],
  ])("may be %s", async (_name, body) => {
    expect((await scene.put(body)).body).toBe(TRUE);
    expect(await scene.entry("service-defaults", "web")).toMatchObject({
      Kind: "service-defaults",
      Name: "web",
      Protocol: "http",
      MeshGateway: { Mode: "local" },
    });
  });

  test.each([
    ["external_sni", "ExternalSNI", "web.example.com"],
    ["max_inbound_connections", "MaxInboundConnections", 5],
    ["local_connect_timeout_ms", "LocalConnectTimeoutMs", 5],
    ["mutual_tls_mode", "MutualTLSMode", "strict"],
    ["balance_inbound_connections", "BalanceInboundConnections", "exact_balance"],
  ])("%s is %s", async (snake, name, value) => {
    await scene.put(defaults("web", { [snake]: value }));
    expect((await scene.entry("service-defaults", "web"))[name]).toEqual(value);
  });

  test("snake case reaches what is inside", async () => {
    await scene.put({
      kind: "service-defaults",
      name: "web",
      upstream_config: {
        overrides: [{ name: "db", passive_health_check: { max_failures: 3, enforcing_consecutive_5xx: 0 } }],
        defaults: { envoy_listener_json: "{}", limits: { max_connections: 0 } },
      },
    });
    const { UpstreamConfig } = await scene.entry("service-defaults", "web");
    expect(UpstreamConfig.Overrides[0].PassiveHealthCheck).toEqual({
      MaxFailures: 3,
      EnforcingConsecutive5xx: 0,
    });
    expect(UpstreamConfig.Defaults).toMatchObject({ EnvoyListenerJSON: "{}", Limits: { MaxConnections: 0 } });
  });

  test.each(["Peer", "peer", "peer_name", "PeerName"])("a consumer's peer may be called %s", async (name) => {
    await scene.put({
      Kind: "exported-services",
      Name: "default",
      Services: [{ Name: "web", Consumers: [{ [name]: "east" }] }],
    });
    const { Services } = await scene.entry("exported-services", "default");
    expect(Services[0].Consumers).toEqual([{ Peer: "east" }]);
  });

  test("a field in two spellings is refused, though both are known", async () => {
    const text = await refusal(defaults("web", { protocol: "tcp", Protocol: "http" }));
    expect(text).toBe('1 error occurred:\n\t* invalid config key "protocol"\n\n');
  });
});

describe("Values are converted where they can be", () => {
  test.each([
    [{ MaxInboundConnections: "7" }, { MaxInboundConnections: 7 }],
    [{ MaxInboundConnections: 7.9 }, { MaxInboundConnections: 7 }],
    [{ MaxInboundConnections: true }, { MaxInboundConnections: 1 }],
    [{ ExternalSNI: 5 }, { ExternalSNI: "5" }],
    [{ ExternalSNI: true }, { ExternalSNI: "1" }],
    [{ TransparentProxy: { DialedDirectly: "true" } }, { TransparentProxy: { DialedDirectly: true } }],
    [{ TransparentProxy: { DialedDirectly: 1 } }, { TransparentProxy: { DialedDirectly: true } }],
    [{ Meta: { replicas: 3 } }, { Meta: { replicas: "3" } }],
    [
      { Destination: { Addresses: "10.0.0.1", Port: 80 } },
      { Destination: { Addresses: ["10.0.0.1"], Port: 80 } },
    ],
  ])("%p is stored as %p", async (sent, stored) => {
    expect(await scene.existing(defaults("web", sent))).toMatchObject(stored);
  });

  test("a duration may be a number of nanoseconds", async () => {
    const resolver = { Kind: "service-resolver", Name: "web", ConnectTimeout: 90e9 };
    expect((await scene.existing(resolver)).ConnectTimeout).toBe("1m30s");
  });

  test("null is as good as absent", async () => {
    const entry = await scene.existing(
      defaults("web", { Protocol: null, UpstreamConfig: null, Meta: null, ExternalSNI: null }),
    );
    expect(entry.Protocol).toBe("");
    for (const field of ["UpstreamConfig", "Meta", "ExternalSNI"]) expect(entry).not.toHaveProperty(field);
  });

  test("null elements of a list are left out", async () => {
    const scene = new Scene({}, HTTP_WEB);
    const entry = await scene.existing({ Kind: "service-router", Name: "web", Routes: [null, {}] } as never);
    expect(entry.Routes).toEqual([{}]);
  });
});

describe("What the service sets may be sent, and is passed over", () => {
  test.each([
    ["CreateIndex", 7],
    ["ModifyIndex", 7],
    ["Hash", 1],
    ["Partition", "default"],
  ])("%s", async (field, value) => {
    const before = await scene.existing(defaults("web"));
    expect((await scene.put(defaults("web", { [field]: value }), "?cas=1")).body).toBe(TRUE);
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });
});
