import { defaults, HTTP_WEB, SAMPLES, Scene, scene, TRUE, WRITABLE_KINDS } from "./mesh-scene";

const FAILED = "Request decoding failed: ";

/** Sends a body that cannot be decoded and returns the message after its prefix. */
async function decodingError(body: unknown): Promise<string> {
  const answer = await new Scene().put(body);
  expect(answer.status).toBe(400);
  expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
  expect(answer.body).toMatch(FAILED);
  return String(answer.body).slice(FAILED.length);
}

describe("PUT /config returns 400 for a body that cannot be decoded", () => {
  test.each([
    ["rejects a body that is not JSON", "{", "the body is not JSON"],
    ["rejects a list", [], "the body is not an object"],
    ["rejects null", null, "the body is not an object"],
    [
      "rejects a body without a kind",
      { Name: "web" },
      "Payload does not contain a kind/Kind key at the top level",
    ],
    ["rejects a kind that is not a string", { Kind: 5 }, "Kind value in payload is not a string"],
    ["rejects an empty kind", { Kind: "" }, "invalid config entry kind: "],
    [
      "rejects a kind in a different letter case",
      { Kind: "Service-Defaults" },
      "invalid config entry kind: Service-Defaults",
    ],
    [
      "rejects a string as an object field",
      defaults("web", { UpstreamConfig: "x" }),
      "1 error(s) decoding:\n\n* 'UpstreamConfig' expected a map, got 'string'",
    ],
  ])("%s", async (_name, body, text) => {
    expect(await decodingError(body)).toBe(text);
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
  )("rejects a field of the wrong type: %s", async (text, fields) => {
    expect(await decodingError(defaults("web", fields))).toBe(`1 error(s) decoding:\n\n* ${text}`);
  });

  test("reports all fields of the wrong type at once", async () => {
    const text = await decodingError(defaults("web", { Expose: 1, MeshGateway: "x" }));
    expect(text).toMatch(/^2 error\(s\) decoding:\n\n\* 'Expose' .*\n\* 'MeshGateway' /);
  });

  test("rejects a weight that is not a number", async () => {
    const text = await decodingError({ Kind: "service-splitter", Name: "web", Splits: [{ Weight: "half" }] });
    expect(text).toContain("cannot parse 'Splits[0].Weight' as float");
  });
});

describe("PUT /config returns 400 with the paths of unknown fields", () => {
  test.each(WRITABLE_KINDS)("rejects an unknown top-level field of %s", async (kind) => {
    const text = await decodingError({ ...SAMPLES[kind], Surprise: 1 });
    expect(text).toBe('1 error occurred:\n\t* invalid config key "Surprise"\n\n');
  });

  test("reports a nested and a top-level field at once", async () => {
    const text = await decodingError(
      defaults("web", { UpstreamConfig: { Overrides: [{ Name: "a" }, { Nmae: "b" }] }, Protcol: "http" }),
    );
    expect(text).toBe(
      '2 errors occurred:\n\t* invalid config key "UpstreamConfig.Overrides[1].Nmae"\n\t* invalid config key "Protcol"\n\n',
    );
  });

  test("rejects a field of a different kind", async () => {
    const text = await decodingError({ ...SAMPLES["service-splitter"], Routes: [] });
    expect(text).toContain('invalid config key "Routes"');
  });

  test.each(["Contains", "IgnoreCase"])(
    "rejects %s, a field of intentions, in the header match of a router",
    async (member) => {
      const Header = [{ Name: "a", [member]: member === "Contains" ? "b" : true }];
      const text = await decodingError({
        Kind: "service-router",
        Name: "web",
        Routes: [{ Match: { HTTP: { Header } } }],
      });
      expect(text).toContain(`invalid config key "Routes[0].Match.HTTP.Header[0].${member}"`);
    },
  );

  test("rejects Status in service-defaults, but accepts and ignores it in api-gateway", async () => {
    expect(await decodingError(defaults("web", { Status: {} }))).toContain('invalid config key "Status"');
    const gateway = { ...SAMPLES["api-gateway"], Status: { Conditions: [{ Type: "Mine" }] } };
    const scene = new Scene({ reconciles: false });
    expect((await scene.existing(gateway)).Status).toEqual({ Conditions: null });
  });

  test("accepts any key in Meta and in Config", async () => {
    const meta = { Name: "x", "a.b": "y", constructor: "z" };
    expect((await scene.existing(defaults("web", { Meta: meta }))).Meta).toEqual(meta);
    const config = { protocol: "http", Nested: { any: [1, "two", { three: null }] }, big: 2 ** 40 };
    const entry = await scene.existing({ Kind: "proxy-defaults", Name: "global", Config: config } as never);
    expect(entry.Config).toEqual(config);
  });
});

describe("Spelling of field names", () => {
  test.each([
    [
      "in any letter case",
      { kind: "service-defaults", NAME: "web", protocol: "http", MESHGATEWAY: { mode: "local" } },
    ],
    [
      "in snake case",
      { Kind: "service-defaults", name: "web", protocol: "http", mesh_gateway: { Mode: "local" } },
    ],
  ])("field names can be %s", async (_name, body) => {
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
  ])("the snake-case name %s is read as %s", async (snake, name, value) => {
    await scene.put(defaults("web", { [snake]: value }));
    expect((await scene.entry("service-defaults", "web"))[name]).toEqual(value);
  });

  test("nested field names can be in snake case", async () => {
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

  test.each(["Peer", "peer", "peer_name", "PeerName"])(
    "the peer of a consumer can be named %s",
    async (name) => {
      await scene.put({
        Kind: "exported-services",
        Name: "default",
        Services: [{ Name: "web", Consumers: [{ [name]: "east" }] }],
      });
      const { Services } = await scene.entry("exported-services", "default");
      expect(Services[0].Consumers).toEqual([{ Peer: "east" }]);
    },
  );

  test("rejects a field that is sent in two spellings", async () => {
    const text = await decodingError(defaults("web", { protocol: "tcp", Protocol: "http" }));
    expect(text).toBe('1 error occurred:\n\t* invalid config key "protocol"\n\n');
  });
});

describe("Type conversion", () => {
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
  ])("stores %j as %j", async (sent, stored) => {
    expect(await scene.existing(defaults("web", sent))).toMatchObject(stored);
  });

  test("accepts a duration as a number of nanoseconds", async () => {
    const resolver = { Kind: "service-resolver", Name: "web", ConnectTimeout: 90e9 };
    expect((await scene.existing(resolver)).ConnectTimeout).toBe("1m30s");
  });

  test("a null field has the same effect as an absent field", async () => {
    const entry = await scene.existing(
      defaults("web", { Protocol: null, UpstreamConfig: null, Meta: null, ExternalSNI: null }),
    );
    expect(entry.Protocol).toBe("");
    for (const field of ["UpstreamConfig", "Meta", "ExternalSNI"]) expect(entry).not.toHaveProperty(field);
  });

  test("removes null elements from a list", async () => {
    const scene = new Scene({}, HTTP_WEB);
    const entry = await scene.existing({ Kind: "service-router", Name: "web", Routes: [null, {}] } as never);
    expect(entry.Routes).toEqual([{}]);
  });
});

describe("Computed fields in a write", () => {
  test.each([
    ["CreateIndex", 7],
    ["ModifyIndex", 7],
    ["Hash", 1],
    ["Partition", "default"],
  ])("ignores %s", async (field, value) => {
    const before = await scene.existing(defaults("web"));
    expect((await scene.put(defaults("web", { [field]: value }), "?cas=1")).body).toBe(TRUE);
    expect(await scene.entry("service-defaults", "web")).toEqual(before);
  });
});
