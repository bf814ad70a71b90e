import { CERTIFICATE, PRIVATE_KEY } from "./mesh-certificate";
import {
  defaults,
  HTTP_WEB,
  intentions,
  SAMPLES,
  Scene,
  scene,
  WRITABLE_KINDS,
  type WritableKind,
} from "./mesh-scene";

const WEB = "/config/service-defaults/web";

/** Writes an entry and returns it as read. */
async function readBack(entry: object, switches: object = {}, seed: object = HTTP_WEB) {
  const scene = new Scene({ reconciles: false, ...switches }, seed);
  // Every caller names a kind.
  return scene.existing(entry as { Kind: string; Name: string });
}

describe("Fields that reads add", () => {
  const PLACE = { Namespace: "default", Partition: "default" };
  const FRONT = { Kind: "api-gateway", Name: "front", SectionName: "", ...PLACE };
  const NO_FILTERS = { Headers: null, URLRewrite: null, RetryFilter: null, TimeoutFilter: null, JWT: null };
  const BY_KIND: Readonly<Record<WritableKind, object>> = {
    "api-gateway": {
      Listeners: [
        {
          Name: "web",
          Hostname: "",
          Port: 8080,
          Protocol: "http",
          TLS: { Certificates: null, MaxVersion: "", MinVersion: "", CipherSuites: null },
        },
      ],
      Status: { Conditions: null },
    },
    "exported-services": { Services: [{ Name: "web", Consumers: [{ Peer: "other-cluster" }] }] },
    "http-route": {
      Parents: [FRONT],
      Rules: [
        {
          Filters: NO_FILTERS,
          ResponseFilters: { Headers: null },
          Matches: null,
          Services: [
            { Name: "orders", Weight: 1, Filters: NO_FILTERS, ResponseFilters: { Headers: null }, ...PLACE },
          ],
        },
      ],
      Hostnames: null,
      Status: { Conditions: null },
    },
    "ingress-gateway": {
      TLS: { Enabled: false },
      Listeners: [{ Port: 8080, Protocol: "tcp", Services: [{ Name: "shop", Hosts: null, ...PLACE }] }],
    },
    "inline-certificate": { Certificate: CERTIFICATE, PrivateKey: PRIVATE_KEY },
    "file-system-certificate": { Certificate: "/web.crt", PrivateKey: "/web.key" },
    "jwt-provider": {
      JSONWebKeySet: { Remote: { URI: "https://login.example.com/keys", CacheDuration: "30m0s" } },
      Forwarding: { HeaderName: "x-payload", PadForwardPayloadHeader: false },
      ClockSkewSeconds: 30,
    },
    mesh: { TransparentProxy: { MeshDestinationsOnly: true } },
    "proxy-defaults": {
      Config: { protocol: "http" },
      TransparentProxy: {},
      MeshGateway: {},
      Expose: {},
      AccessLogs: {},
    },
    "service-defaults": { Protocol: "http", TransparentProxy: {}, MeshGateway: {}, Expose: {} },
    "service-intentions": {
      Sources: [{ Name: "shop", Action: "allow", Precedence: 9, Type: "consul", ...PLACE }],
    },
    "service-resolver": { ConnectTimeout: "15s" },
    "service-router": { Routes: null },
    "service-splitter": { Splits: [{ Weight: 100 }] },
    "tcp-route": { Parents: [FRONT], Services: [{ Name: "db", ...PLACE }], Status: { Conditions: null } },
    "terminating-gateway": { Services: [{ Name: "billing", ...PLACE }] },
  };

  test.each(WRITABLE_KINDS)(
    "a read of %s returns every default field, with zero values for unset fields",
    async (kind) => {
      const { Name } = SAMPLES[kind];
      expect(await readBack(SAMPLES[kind])).toEqual({
        Kind: kind,
        ...(kind !== "mesh" && { Name }),
        ...BY_KIND[kind],
        Partition: "default",
        Namespace: "default",
        Hash: expect.any(Number),
        CreateIndex: expect.any(Number),
        ModifyIndex: expect.any(Number),
      });
    },
  );

  test.each(WRITABLE_KINDS)("a read of %s returns no added fields if adds is false", async (kind) => {
    const read = await readBack(SAMPLES[kind], { adds: false });
    for (const field of ["Partition", "Namespace", "Hash", "Status", "AccessLogs", "Expose"]) {
      expect(read).not.toHaveProperty(field);
    }
    const { Name, Kind } = SAMPLES[kind];
    expect(read).toMatchObject({ Kind, ...(kind !== "mesh" && { Name }) });
    expect(read.ModifyIndex).toEqual(expect.any(Number));
  });

  test("Hash is an exact 64-bit integer that a double cannot represent", async () => {
    await scene.put(defaults("web", { Protocol: "http" }));
    const { text } = await scene.get(WEB);
    const [, digits = ""] = /"Hash":(\d+)[,}]/.exec(text) ?? [];
    expect(BigInt(digits)).toBeGreaterThan(2n ** 53n);
    expect(BigInt(digits)).toBeLessThan(2n ** 64n);
    expect(String(Number(digits))).not.toBe(digits);
  });

  test("Hash depends on the content: equal for the same content, different after a change", async () => {
    const hash = async () => /"Hash":(\d+)/.exec((await scene.get(WEB)).text)?.[1];
    await scene.put(defaults("web", { Protocol: "http" }));
    const first = await hash();
    await scene.put(defaults("web", { Protocol: "grpc" }));
    const second = await hash();
    await scene.put(defaults("web", { Protocol: "http" }));
    expect(await hash()).toBe(first);
    expect(second).not.toBe(first);
  });

  test("Namespace of an intention source is the namespace of the entry", async () => {
    await scene.put(SAMPLES["service-intentions"], "?ns=team");
    const { Namespace, Sources } = await scene.entry("service-intentions", "web", "?ns=team");
    expect([Namespace, Sources[0].Namespace]).toEqual(["team", "team"]);
  });

  test("an intention source with a peer or a sameness group has no Partition", async () => {
    const { Sources } = await readBack(
      intentions(
        "web",
        { Name: "shop", Peer: "east", Action: "allow" },
        { Name: "shop", SamenessGroup: "g", Action: "deny" },
      ),
    );
    for (const source of Sources) {
      expect(source).not.toHaveProperty("Partition");
      expect(source.Namespace).toBe("default");
    }
  });

  test("a list returns each entry exactly as a read returns it", async () => {
    const scene = new Scene({}, HTTP_WEB);
    for (const kind of WRITABLE_KINDS) {
      await scene.put(SAMPLES[kind]);
      expect((await scene.get(`/config/${kind}`)).body).toEqual([
        await scene.entry(kind, SAMPLES[kind].Name),
      ]);
    }
  });
});

describe("Normalization in reads", () => {
  test.each([
    ["service-defaults", defaults("web", { Protocol: "GRPC" }), { Protocol: "grpc" }],
    [
      "upstreams",
      defaults("web", {
        UpstreamConfig: { Overrides: [{ Name: "db", Protocol: "TCP" }], Defaults: { Protocol: "Http" } },
      }),
      { UpstreamConfig: { Overrides: [{ Protocol: "tcp" }], Defaults: { Protocol: "http" } } },
    ],
    [
      "listeners of an ingress-gateway",
      {
        Kind: "ingress-gateway",
        Name: "i",
        Listeners: [{ Port: 80, Protocol: "HTTP", Services: [{ Name: "*" }] }],
      },
      { Listeners: [{ Protocol: "http" }] },
    ],
    [
      "listeners of an api-gateway",
      { Kind: "api-gateway", Name: "a", Listeners: [{ Name: "l", Port: 80, Protocol: "HTTP" }] },
      { Listeners: [{ Protocol: "http" }] },
    ],
  ])("protocols of %s are lower-cased", async (_name, entry, read) => {
    expect(await readBack(entry)).toMatchObject(read);
  });

  test.each([
    [
      "a router",
      { Kind: "service-router", Name: "web", Routes: [{ Match: { HTTP: { Methods: ["get", "Post"] } } }] },
      { Routes: [{ Match: { HTTP: { Methods: ["GET", "POST"] } } }] },
    ],
    [
      "a source's permissions",
      intentions("web", { Name: "a", Permissions: [{ Action: "allow", HTTP: { Methods: ["put"] } }] }),
      { Sources: [{ Permissions: [{ HTTP: { Methods: ["PUT"] } }] }] },
    ],
    [
      "an http-route",
      { Kind: "http-route", Name: "r", Rules: [{ Matches: [{ Method: "delete" }] }] },
      { Rules: [{ Matches: [{ Method: "DELETE" }] }] },
    ],
  ])("HTTP methods of %s are upper-cased", async (_name, entry, read) => {
    expect(await readBack(entry)).toMatchObject(read);
  });

  test.each([
    { sent: [33.333, 66.667], read: [33.33, 66.67] },
    { sent: [0.006, 99.994], read: [0.01, 99.99] },
    { sent: [50, 50], read: [50, 50] },
    { sent: [100, 0.004], read: [100, 0] },
  ])("weights $sent are rounded to $read", async ({ sent, read }) => {
    const Splits = sent.map((Weight, index) => ({ Weight, ServiceSubset: `s${index}` }));
    const Subsets = { s0: {}, s1: {} };
    const scene = new Scene({}, HTTP_WEB);
    await scene.existing({ Kind: "service-resolver", Name: "web", Subsets } as never);
    const entry = await scene.existing({ Kind: "service-splitter", Name: "web", Splits } as never);
    expect(entry.Splits.map(({ Weight }: { Weight: number }) => Weight)).toEqual(read);
  });

  test.each([
    ["15s", "15s"],
    ["90s", "1m30s"],
    ["1.5m", "1m30s"],
    ["3600s", "1h0m0s"],
    ["500ms", "500ms"],
    ["1000ms", "1s"],
    ["1ms", "1ms"],
    ["1us", "1µs"],
    ["999ns", "999ns"],
    ["1500ms", "1.5s"],
    ["1m0.5s", "1m0.5s"],
    ["250us", "250µs"],
  ])("the duration %s is returned as %s", async (sent, read) => {
    const entry = await readBack({
      Kind: "service-resolver",
      Name: "web",
      ConnectTimeout: sent,
      RequestTimeout: sent,
    });
    expect([entry.ConnectTimeout, entry.RequestTimeout]).toEqual([read, read]);
  });

  test("a zero duration is not returned", async () => {
    const entry = await readBack({ Kind: "service-resolver", Name: "web", ConnectTimeout: "0s" });
    expect(entry).not.toHaveProperty("ConnectTimeout");
  });

  test("normalizes the durations of a route's destination", async () => {
    const Destination = { Service: "web", RequestTimeout: "90s", IdleTimeout: "0.5s" };
    const { Routes } = await readBack({ Kind: "service-router", Name: "web", Routes: [{ Destination }] });
    expect(Routes[0].Destination).toMatchObject({ RequestTimeout: "1m30s", IdleTimeout: "500ms" });
  });

  test("zero values are not returned, except in some nested objects", async () => {
    const entry = await readBack(
      defaults("web", {
        MaxInboundConnections: 0,
        ExternalSNI: "",
        Mode: "",
        Meta: {},
        EnvoyExtensions: [],
        UpstreamConfig: { Overrides: [], Defaults: { Limits: { MaxConnections: 0 } } },
        TransparentProxy: { OutboundListenerPort: 0, DialedDirectly: false },
      }),
    );
    for (const field of ["MaxInboundConnections", "ExternalSNI", "Mode", "Meta", "EnvoyExtensions"]) {
      expect(entry).not.toHaveProperty(field);
    }
    expect(entry.TransparentProxy).toEqual({});
    const Defaults = { Limits: { MaxConnections: 0 }, MeshGateway: {}, Peer: "" };
    expect(entry.UpstreamConfig).toEqual({ Defaults });
  });

  test("an optional object that was written empty is returned", async () => {
    const entry = await readBack(defaults("web", { UpstreamConfig: {}, RateLimits: {} }));
    expect(entry.UpstreamConfig).toEqual({});
    expect(entry.RateLimits).toEqual({
      InstanceLevel: { RequestsPerSecond: 0, RequestsMaxBurst: 0, Routes: null },
    });
  });

  test("with normalizes false, a read returns the entry as it was sent", async () => {
    const sent = {
      Kind: "service-splitter",
      Name: "web",
      Splits: [
        { Weight: 33.333, ServiceSubset: "" },
        { Weight: 66.667, Service: "other" },
      ],
      Meta: {},
    };
    const seed = {
      entries: [{ entry: { Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } } }],
    };
    const read = await readBack(sent, { normalizes: false, adds: false }, seed);
    const { CreateIndex: _, ModifyIndex: __, ...own } = read;
    expect(own).toEqual(sent);
    const upperCase = await readBack(defaults("web", { Protocol: "HTTP" }), { normalizes: false });
    expect(upperCase.Protocol).toBe("HTTP");
  });

  test("with normalizes false, a different spelling of the same value increases ModifyIndex", async () => {
    const scene = new Scene({ normalizes: false });
    const before = await scene.existing(defaults("web", { Protocol: "http" }));
    const after = await scene.existing(defaults("web", { Protocol: "HTTP" }));
    expect(after.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
  });
});

describe("Precedence of intention sources", () => {
  const source = (Name: string, more: object = {}) => ({ Name, Action: "allow", ...more });

  test("sorts exact names before wildcards, and sources of equal precedence in the order sent", async () => {
    const { Sources } = await readBack(intentions("web", source("*"), source("b"), source("a")));
    expect(
      Sources.map(({ Name, Precedence }: { Name: string; Precedence: number }) => [Name, Precedence]),
    ).toEqual([
      ["b", 9],
      ["a", 9],
      ["*", 8],
    ]);
  });

  test.each([
    ["web", "default", "shop", "default", 9],
    ["web", "default", "*", "default", 8],
    ["web", "default", "*", "*", 7],
    ["*", "default", "shop", "default", 6],
    ["*", "default", "*", "default", 5],
    ["*", "default", "*", "*", 4],
    ["*", "*", "shop", "default", 3],
    ["*", "*", "*", "default", 2],
    ["*", "*", "*", "*", 1],
  ])(
    "for destination %s in namespace %s, source %s in namespace %s has precedence %d",
    async (name, namespace, from, Namespace, precedence) => {
      await scene.put(intentions(name, source(from, { Namespace })), `?ns=${namespace}`);
      const [entry] = (await scene.get("/config/service-intentions?ns=*")).body;
      expect(entry.Sources[0].Precedence).toBe(precedence);
    },
  );

  test("ignores a Precedence in the request body", async () => {
    const { Sources } = await readBack(intentions("web", source("a", { Precedence: 1 })));
    expect(Sources[0].Precedence).toBe(9);
  });

  test("writing the same sources in a different order does not change the entry", async () => {
    const before = await scene.existing(intentions("web", source("*"), source("a")));
    await scene.put(intentions("web", source("a"), source("*")));
    expect(await scene.entry("service-intentions", "web")).toEqual(before);
  });
});

describe("Reads of complete entries", () => {
  test("returns the private key of an inline-certificate", async () => {
    const { Certificate, PrivateKey } = await readBack(SAMPLES["inline-certificate"], {
      readsCertificates: true,
    });
    expect([Certificate, PrivateKey]).toEqual([CERTIFICATE, PRIVATE_KEY]);
  });

  test("returns the written fields of a service-resolver", async () => {
    const fields = {
      DefaultSubset: "v1",
      Subsets: { v1: { Filter: "Service.Meta.version == v1" }, v2: { OnlyPassing: true } },
      Failover: {
        "*": { Datacenters: ["dc2"], Policy: { Mode: "order-by-locality", Regions: ["eu"] } },
        v2: { Targets: [{ Service: "web", ServiceSubset: "v1" }, { Peer: "east" }] },
      },
      ConnectTimeout: "5s",
      LoadBalancer: {
        Policy: "ring_hash",
        RingHashConfig: { MinimumRingSize: 10 },
        HashPolicies: [
          { Field: "cookie", FieldValue: "c", CookieConfig: { TTL: "1h0m0s" }, Terminal: true },
          { SourceIP: true },
        ],
      },
      PrioritizeByLocality: { Mode: "failover" },
      Meta: { team: "web" },
    };
    expect(await readBack({ Kind: "service-resolver", Name: "web", ...fields })).toMatchObject(fields);
  });

  test("returns the written routes of a service-router", async () => {
    const Routes = [
      {
        Match: {
          HTTP: {
            PathPrefix: "/a",
            CaseInsensitive: true,
            Header: [{ Name: "x", Present: true, Invert: true }],
            QueryParam: [{ Name: "q", Exact: "1" }],
          },
        },
        Destination: {
          Service: "web",
          PrefixRewrite: "/",
          NumRetries: 3,
          RetryOn: ["5xx"],
          RetryOnStatusCodes: [503],
          RequestHeaders: { Add: { a: "b" }, Remove: ["c"] },
        },
      },
      {},
    ];
    expect(await readBack({ Kind: "service-router", Name: "web", Routes })).toMatchObject({ Routes });
  });

  test("returns filters and matches of an http-route, with zero values for unset fields", async () => {
    const Filters = {
      Headers: [{ Add: { a: "b" } }],
      URLRewrite: { Path: "/" },
      RetryFilter: { NumRetries: 0, RetryOnConnectFailure: false, RetryOn: ["5xx"] },
      TimeoutFilter: { RequestTimeout: "90s" },
      JWT: { Providers: [{ Name: "p", VerifyClaims: [{ Path: ["a"], Value: "b" }] }] },
    };
    const Matches = [
      { Headers: [{ Match: "present", Name: "h" }], Query: [{ Match: "present", Name: "q" }] },
    ];
    const { Rules } = await readBack({ Kind: "http-route", Name: "r", Rules: [{ Filters, Matches }] });
    expect(Rules[0].Filters).toEqual({
      Headers: [{ Add: { a: "b" }, Remove: null, Set: null }],
      URLRewrite: { Path: "/" },
      RetryFilter: {
        NumRetries: 0,
        RetryOnConnectFailure: false,
        RetryOn: ["5xx"],
        RetryOnStatusCodes: null,
      },
      TimeoutFilter: { RequestTimeout: "1m30s" },
      JWT: Filters.JWT,
    });
    expect(Rules[0].Matches).toEqual([
      {
        Headers: [{ Match: "present", Name: "h", Value: "" }],
        Method: "",
        Path: { Match: "prefix", Value: "/" },
        Query: [{ Match: "present", Name: "q", Value: "" }],
      },
    ]);
  });

  test("returns Envoy extensions and rate limits, with zero values for unset fields", async () => {
    const entry = await readBack(
      defaults("web", {
        EnvoyExtensions: [{ Name: "builtin/lua" }],
        RateLimits: { InstanceLevel: { Routes: [{ RequestsPerSecond: 5 }] } },
      }),
    );
    expect(entry.EnvoyExtensions).toEqual([
      { Name: "builtin/lua", Required: false, Arguments: null, ConsulVersion: "", EnvoyVersion: "" },
    ]);
    expect(entry.RateLimits.InstanceLevel.Routes).toEqual([
      { PathExact: "", PathPrefix: "", PathRegex: "", RequestsPerSecond: 5, RequestsMaxBurst: 0 },
    ]);
  });

  test("returns the written fields of a mesh entry", async () => {
    const fields = {
      TransparentProxy: { MeshDestinationsOnly: false },
      AllowEnablingPermissiveMutualTLS: true,
      TLS: {
        Incoming: { TLSMinVersion: "TLSv1_2", CipherSuites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"] },
      },
      HTTP: {
        SanitizeXForwardedClientCert: true,
        Incoming: {
          RequestNormalization: {
            InsecureDisablePathNormalization: false,
            MergeSlashes: true,
            PathWithEscapedSlashesAction: "REJECT_REQUEST",
            HeadersWithUnderscoresAction: "",
          },
        },
      },
      Peering: { PeerThroughMeshGateways: true },
    };
    expect(await readBack({ Kind: "mesh", Name: "mesh", ...fields })).toMatchObject(fields);
  });
});
