import { answers } from "./in-process";
import { anotherKey, CERTIFICATE, PRIVATE_KEY, shortKey } from "./mesh-certificate";
import { defaults, HTTP_WEB, intentions, SAMPLES, Scene, scene, TRUE } from "./mesh-scene";

/** What the service says to an entry that breaks a rule within itself; it stores nothing then. */
async function refusal(entry: object, switches: object = {}): Promise<string> {
  const scene = new Scene({ reconciles: false, ...switches }, HTTP_WEB);
  const before = scene.service.dump();
  const { status, headers, body } = await scene.put(entry);
  expect(status).toBe(500);
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  expect(scene.service.dump()).toEqual(before);
  return body;
}

async function accepts(entry: object): Promise<void> {
  const scene = new Scene({}, HTTP_WEB);
  await answers(scene.put(entry), 200, TRUE);
}

describe("Meta of any kind", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

  test("holds up to 64 values, of keys up to 128 and values up to 512 characters", async () => {
    await accepts(defaults("web", { Meta: { ...many(63), ["k".repeat(128)]: "v".repeat(512) } }));
  });

  test.each([
    [many(65), "Meta exceeds maximum element count 64"],
    [{ ["k".repeat(129)]: "v" }, `Meta key "${"k".repeat(129)}" exceeds maximum length 128`],
    [{ k: "v".repeat(513) }, 'Meta value for key "k" exceeds maximum length 512'],
  ])("and no more", async (Meta, text) => {
    expect(await refusal(defaults("web", { Meta }))).toBe(`1 error occurred:\n\t* ${text}\n\n`);
    expect(await refusal({ ...SAMPLES.mesh, Meta })).toContain(text);
  });
});

describe("service-defaults", () => {
  test("its name is no wildcard", async () => {
    expect(await refusal(defaults("*"))).toBe(
      "service-defaults name must be the name of a service, and not a wildcard",
    );
  });

  test.each([
    [{ BalanceInboundConnections: "even" }, "invalid value for balance_inbound_connections: even"],
    [
      { UpstreamConfig: {}, Destination: { Addresses: ["a.example"], Port: 80 } },
      "UpstreamConfig and Destination are mutually exclusive for service defaults",
    ],
    [
      { UpstreamConfig: { Overrides: [{ Protocol: "http" }] } },
      "error in upstream override for : Name is required",
    ],
    [
      { UpstreamConfig: { Overrides: [{ Name: "*" }] } },
      "error in upstream override for *: Wildcard name is not supported",
    ],
    [{ UpstreamConfig: { Defaults: { Name: "db" } } }, "error in upstream defaults: Name must be empty"],
    [
      {
        UpstreamConfig: {
          Defaults: { Limits: { MaxConnections: -1, MaxPendingRequests: -1, MaxConcurrentRequests: -1 } },
        },
      },
      "error in upstream defaults: max concurrent requests cannot be negative",
    ],
    [
      { UpstreamConfig: { Defaults: { PassiveHealthCheck: { Interval: "-1s" } } } },
      "error in upstream defaults: passive health check interval cannot be negative",
    ],
    [
      { UpstreamConfig: { Defaults: { PassiveHealthCheck: { EnforcingConsecutive5xx: 101 } } } },
      "passive health check enforcing_consecutive_5xx must be a percentage between 0 and 100",
    ],
    [
      { UpstreamConfig: { Overrides: [{ Name: "a", PassiveHealthCheck: { MaxEjectionPercent: 101 } }] } },
      "error in upstream override for a: passive health check max_ejection_percent must be a percentage between 0 and 100",
    ],
    [
      { UpstreamConfig: { Defaults: { BalanceOutboundConnections: "even" } } },
      "invalid value for balance_outbound_connections: even",
    ],
    [{ Destination: { Port: 80 } }, "Destination must contain at least one valid address"],
    [{ Destination: { Addresses: ["a", "a"], Port: 80 } }, "Duplicate address 'a' is not allowed"],
    [
      { Destination: { Addresses: ["*.example.com"], Port: 80 } },
      "Could not validate address *.example.com as an IP or Hostname",
    ],
    [{ Destination: { Addresses: ["a"], Port: 0 } }, "Invalid Port number 0"],
    [{ Destination: { Addresses: ["a"], Port: 65_536 } }, "Invalid Port number 65536"],
  ])("%j is refused", async (fields, text) => {
    expect(await refusal(defaults("web", fields))).toContain(text);
  });

  test.each([
    [{ MutualTLSMode: "lax" }, 'Invalid MutualTLSMode "lax". Must be one of "", "strict", or "permissive".'],
    [{ EnvoyExtensions: [{ Required: true }] }, "invalid EnvoyExtensions[0]: Name is required"],
  ])("%j is refused, and of proxy-defaults too", async (fields, text) => {
    expect(await refusal(defaults("web", fields))).toBe(text);
    expect(await refusal({ ...SAMPLES["proxy-defaults"], ...fields })).toBe(text);
  });

  test("all that is wrong is said at once", async () => {
    const text = await refusal(defaults("web", { BalanceInboundConnections: "x", Destination: {} }));
    expect(text).toMatch(/^3 errors occurred:/);
  });

  test.each([
    { BalanceInboundConnections: "exact_balance", MutualTLSMode: "strict" },
    { Destination: { Addresses: ["10.0.0.1", "::1", "db.example.com"], Port: 5432 } },
    { UpstreamConfig: { Overrides: [{ Name: "db", PassiveHealthCheck: { EnforcingConsecutive5xx: 100 } }] } },
  ])("%j is accepted", (fields) => accepts(defaults("web", fields)));
});

describe("proxy-defaults", () => {
  test.each([
    [{ AccessLogs: { Type: "syslog" } }, "invalid access log type: syslog"],
    [
      { AccessLogs: { JSONFormat: "{}", TextFormat: "x" } },
      "cannot specify both access log JSONFormat and TextFormat",
    ],
    [{ AccessLogs: { Path: "/x" } }, "path is only valid for file type access logs"],
    [{ AccessLogs: { Type: "file" } }, "path must be specified when using file type access logs"],
    [
      { FailoverPolicy: { Mode: "x" } },
      "Failover policy must be one of '', 'sequential', or 'order-by-locality'",
    ],
    [{ PrioritizeByLocality: { Mode: "x" } }, "invalid prioritize by locality mode: x"],
  ])("%j is refused", async (fields, text) => {
    expect(await refusal({ ...SAMPLES["proxy-defaults"], ...fields })).toBe(text);
  });

  test("a whole one is accepted", () =>
    accepts({
      ...SAMPLES["proxy-defaults"],
      AccessLogs: { Enabled: true, Type: "file", Path: "/x", TextFormat: "y" },
      FailoverPolicy: { Mode: "sequential" },
      PrioritizeByLocality: { Mode: "failover" },
      EnvoyExtensions: [{ Name: "builtin/lua", Arguments: { Script: "x" } }],
    }));
});

describe("service-router", () => {
  const router = (match: object, destination: object = {}) => ({
    Kind: "service-router",
    Name: "web",
    Routes: [{}, { Match: { HTTP: match }, Destination: destination }],
  });

  test.each([
    [{ PathExact: "a" }, {}, "PathExact doesn't start with '/': \"a\""],
    [{ PathPrefix: "a" }, {}, "PathPrefix doesn't start with '/': \"a\""],
    [
      { PathExact: "/", PathRegex: ".*" },
      {},
      "should only contain at most one of PathExact, PathPrefix, or PathRegex",
    ],
    [{ Header: [{ Present: true }] }, {}, "Header[0] missing required Name field"],
    [
      { Header: [{ Name: "a", Present: true, Exact: "b" }] },
      {},
      "Header[0] should only contain one of Present, Exact, Prefix, Suffix, or Regex",
    ],
    [
      { Header: [{ Name: "a" }] },
      {},
      "Header[0] should only contain one of Present, Exact, Prefix, Suffix, or Regex",
    ],
    [{ QueryParam: [{ Exact: "b" }] }, {}, "QueryParam[0] missing required Name field"],
    [
      { QueryParam: [{ Name: "a" }] },
      {},
      "QueryParam[0] should only contain one of Present, Exact, or Regex",
    ],
    [{ Methods: ["FETCH"] }, {}, 'Methods contains an invalid method "FETCH"'],
    [{ Methods: ["get", "GET"] }, {}, 'Methods contains "GET" more than once'],
    [
      { PathRegex: ".*" },
      { PrefixRewrite: "/" },
      "cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix",
    ],
    [{}, { RetryOn: ["6xx"] }, 'contains an invalid retry condition: "6xx"'],
  ])("%j to %j is refused", async (match, destination, text) => {
    expect(await refusal(router(match, destination))).toBe(`Route[1] ${text}`);
  });

  test("a whole one is accepted", () =>
    accepts(
      router(
        {
          PathPrefix: "/a",
          Header: [{ Name: "a", Suffix: "b" }],
          QueryParam: [{ Name: "q", Regex: "." }],
          Methods: ["get", "PUT"],
        },
        { PrefixRewrite: "/", RetryOn: ["5xx", "unavailable"] },
      ),
    ));
});

describe("service-splitter", () => {
  const splitter = (...Splits: object[]) => ({ Kind: "service-splitter", Name: "web", Splits });

  test.each([
    [[], "no splits configured"],
    [[{ Weight: 50 }], "the sum of all split weights must be 100, not 50.000000"],
    [
      [{ Weight: 50 }, { Weight: 50.02, Service: "b" }],
      "the sum of all split weights must be 100, not 100.020000",
    ],
    [
      [{ Weight: 50 }, { Weight: 50, Service: "web" }],
      'split destination occurs more than once: service="web", subset="", namespace="default", partition=""',
    ],
    [
      [{ Weight: 50, Namespace: "default" }, { Weight: 50 }],
      'split destination occurs more than once: service="web", subset="", namespace="default", partition=""',
    ],
  ])("%j is refused", async (splits, text) => {
    expect(await refusal(splitter(...splits))).toBe(text);
  });

  test("weights count in hundredths", async () => {
    const scene = new Scene({}, { entries: [{ entry: SAMPLES["proxy-defaults"] }] });
    const splits = [{ Weight: 99.986 }, { Weight: 0.011, Service: "other" }];
    expect((await scene.put(splitter(...splits))).body).toBe(TRUE);
  });
});

describe("service-resolver", () => {
  const resolver = (fields: object) => ({ Kind: "service-resolver", Name: "web", ...fields });
  const subsets = { Subsets: { v1: {} } };

  test.each([
    [{ Subsets: { "": {} } }, "Subset defined with empty name"],
    [{ Subsets: { V1: {} } }, 'Subset "V1" is invalid: must be 63 characters or fewer, begin or end'],
    [{ Subsets: { ["v".repeat(64)]: {} } }, "is invalid: must be non-empty and 63 characters or fewer"],
    [{ Subsets: { v1: { Filter: "a ==" } } }, 'Filter for subset "v1" is not a valid expression: '],
    [{ DefaultSubset: "v1" }, 'DefaultSubset "v1" is not a valid subset'],
    [{ Redirect: {} }, "Redirect is empty"],
    [
      { Redirect: { Service: "a" }, Failover: { "*": { Service: "b" } } },
      "Redirect and Failover cannot both be set",
    ],
    [
      { Redirect: { Service: "a", Peer: "p", ServiceSubset: "s" } },
      "Redirect.Peer cannot be set with Redirect.ServiceSubset",
    ],
    [
      { Redirect: { Service: "a", Peer: "p", Partition: "x" } },
      "Redirect.Partition cannot be set with Redirect.Peer",
    ],
    [
      { Redirect: { Service: "a", Peer: "p", Datacenter: "d" } },
      "Redirect.Peer cannot be set with Redirect.Datacenter",
    ],
    [{ Redirect: { ServiceSubset: "v1" } }, "Redirect.ServiceSubset defined without Redirect.Service"],
    [{ Redirect: { Namespace: "n" } }, "Redirect.Namespace defined without Redirect.Service"],
    [{ Redirect: { Partition: "n" } }, "Redirect.Partition defined without Redirect.Service"],
    [{ Redirect: { Peer: "n" } }, "Redirect.Peer defined without Redirect.Service"],
    [
      { Redirect: { Service: "web", ServiceSubset: "v9" } },
      'Redirect.ServiceSubset "v9" is not a valid subset of "web"',
    ],
    [{ Failover: { v1: { Service: "a" } } }, 'Bad Failover["v1"]: not a valid subset subset'],
    [
      { Failover: { "*": {} } },
      'Bad Failover["*"]: one of Service, ServiceSubset, Namespace, Targets, SamenessGroup, or Datacenters is required',
    ],
    [
      { Failover: { "*": { Service: "a", Policy: { Mode: "x" } } } },
      "Bad Failover[\"*\"]: Policy must be one of '', 'sequential', or 'order-by-locality'",
    ],
    [
      { Failover: { "*": { ServiceSubset: "v9" } } },
      'Bad Failover["*"]: ServiceSubset "v9" is not a valid subset of ""',
    ],
    [
      { Failover: { "*": { Targets: [{}], Service: "a" } } },
      'Bad Failover["*"]: Targets cannot be set with Service',
    ],
    [
      { Failover: { "*": { Targets: [{}], Datacenters: ["a"] } } },
      'Bad Failover["*"]: Targets cannot be set with Datacenters',
    ],
    [
      { Failover: { "*": { Targets: [{ Peer: "p", ServiceSubset: "s" }] } } },
      'Bad Failover["*"].Targets[0]: Peer cannot be set with ServiceSubset',
    ],
    [
      { Failover: { "*": { Targets: [{ Peer: "p", Partition: "s" }] } } },
      'Bad Failover["*"].Targets[0]: Partition cannot be set with Peer',
    ],
    [
      { Failover: { "*": { Targets: [{ Peer: "p", Datacenter: "s" }] } } },
      'Bad Failover["*"].Targets[0]: Peer cannot be set with Datacenter',
    ],
    [
      { Failover: { "*": { Targets: [{ Partition: "p", Datacenter: "s" }] } } },
      'Bad Failover["*"].Targets[0]: Partition cannot be set with Datacenter',
    ],
    [
      { Failover: { "*": { Targets: [{ ServiceSubset: "v9" }] } } },
      'Bad Failover["*"].Targets[0]: ServiceSubset "v9" is not a valid subset of "web"',
    ],
    [
      { Failover: { "*": { Datacenters: ["a", ""] } } },
      'Bad Failover["*"].Datacenters: found empty datacenter',
    ],
    [{ ConnectTimeout: "-5s" }, "Bad ConnectTimeout '-5s', must be >= 0"],
    [{ RequestTimeout: "-90s" }, "Bad RequestTimeout '-1m30s', must be >= 0"],
  ])("%j is refused", async (fields, text) => {
    expect(await refusal(resolver(fields))).toContain(text);
  });

  test.each([
    [{ Policy: "best" }, ' policy: "best" is not supported'],
    [
      { RingHashConfig: {} },
      ' configuration. RingHashConfig specified for incompatible load balancing policy ""',
    ],
    [
      { Policy: "random", LeastRequestConfig: { ChoiceCount: 2 } },
      ' configuration. LeastRequestConfig specified for incompatible load balancing policy "random"',
    ],
    [
      { Policy: "random", HashPolicies: [{ SourceIP: true }] },
      ' configuration: HashPolicies specified for non-hash-based Policy: "random"',
    ],
    [
      { Policy: "maglev", HashPolicies: [{ Field: "body", FieldValue: "x" }] },
      ' HashPolicy[0]: "body" is not a supported field',
    ],
    [
      { Policy: "maglev", HashPolicies: [{ SourceIP: true }, { SourceIP: true, Field: "header" }] },
      ' HashPolicy[1]: A single hash policy cannot hash both a source address and a "header"',
    ],
    [
      { Policy: "maglev", HashPolicies: [{ SourceIP: true, FieldValue: "x" }] },
      " HashPolicy[0]: A FieldValue cannot be specified when hashing SourceIP",
    ],
    [
      { Policy: "maglev", HashPolicies: [{ Field: "header" }] },
      ' HashPolicy[0]: Field "header" was specified without a FieldValue',
    ],
    [
      { Policy: "maglev", HashPolicies: [{ FieldValue: "x" }] },
      " HashPolicy[0]: FieldValue requires a Field to apply to",
    ],
    [
      { Policy: "maglev", HashPolicies: [{ Field: "header", FieldValue: "x", CookieConfig: {} }] },
      ' HashPolicy[0]: cookie_config provided for "header"',
    ],
    [
      {
        Policy: "maglev",
        HashPolicies: [{ Field: "cookie", FieldValue: "x", CookieConfig: { Session: true, TTL: "1s" } }],
      },
      " HashPolicy[0]: a session cookie cannot have an associated TTL",
    ],
  ])("a load balancer %j is refused", async (LoadBalancer, text) => {
    expect(await refusal(resolver({ LoadBalancer }))).toBe(`Bad LoadBalancer${text}`);
  });

  test.each([
    { ...subsets, DefaultSubset: "v1" },
    { Redirect: { Service: "other", Datacenter: "dc2" } },
    {
      ...subsets,
      Failover: { v1: { ServiceSubset: "v1", Datacenters: ["dc2"] }, "*": { Targets: [{ Peer: "p" }] } },
    },
    { LoadBalancer: { Policy: "least_request", LeastRequestConfig: { ChoiceCount: 2 } } },
  ])("%j is accepted", (fields) => {
    return expect(scene.put(resolver(fields))).resolves.toMatchObject({ body: TRUE });
  });
});

describe("service-intentions", () => {
  const permission = (HTTP?: object, Action = "allow") => ({ Name: "a", Permissions: [{ Action, HTTP }] });

  test.each([
    [[], "At least one source is required"],
    [[{ Action: "allow" }], "Sources[0].Name is required"],
    [[{ Name: "a" }], "Sources[0].Action must be set to 'allow' or 'deny'"],
    [[{ Name: "a", Action: "ALLOW" }], "Sources[0].Action must be set to 'allow' or 'deny'"],
    [
      [{ Name: "a*", Action: "deny" }],
      "Sources[0].Name: wildcard character '*' cannot be used with partial values",
    ],
    [
      [{ Name: "*", Namespace: "a*", Action: "deny" }],
      "Sources[0].Namespace: wildcard character '*' cannot be used with partial values",
    ],
    [
      [{ Name: "a", Namespace: "*", Action: "deny" }],
      "Sources[0].Name: exact value cannot follow wildcard namespace",
    ],
    [[{ Name: "a", Peer: "*", Action: "deny" }], "Sources[0].Peer: cannot use wildcard '*' in peer"],
    [
      [{ Name: "a", Peer: "p", Partition: "x", Action: "deny" }],
      "Sources[0].Peer: cannot set Peer and Partition at the same time.",
    ],
    [
      [{ Name: "a", SamenessGroup: "p", Partition: "x", Action: "deny" }],
      "Sources[0].SamenessGroup: cannot set SamenessGroup and Partition at the same time",
    ],
    [
      [{ Name: "a", SamenessGroup: "p", Peer: "x", Action: "deny" }],
      "Sources[0].SamenessGroup: cannot set SamenessGroup and Peer at the same time",
    ],
    [
      [{ Name: "a", Action: "deny", Description: "x".repeat(513) }],
      "Sources[0].Description exceeds maximum length 512",
    ],
    [[{ Name: "a", Action: "deny", LegacyMeta: { a: "b" } }], "Sources[0].LegacyMeta must be omitted"],
    [[{ Name: "a", Action: "deny", Type: "vm" }], "Sources[0].Type must be set to 'consul'"],
    [
      [{ ...permission({ PathExact: "/" }), Action: "allow" }],
      "Sources[0].Action must be omitted if Permissions are specified",
    ],
    [
      [permission({ PathExact: "/" }, "maybe")],
      "Sources[0].Permissions[0].Action must be set to 'allow' or 'deny'",
    ],
    [[permission()], "Sources[0].Permissions[0].HTTP is required"],
    [[permission({})], "Sources[0].Permissions[0].HTTP should not be empty"],
    [
      [permission({ PathExact: "a" })],
      "Sources[0].Permissions[0].HTTP.PathExact doesn't start with '/': \"a\"",
    ],
    [
      [permission({ PathPrefix: "/", PathRegex: "a" })],
      "Sources[0].Permissions[0].HTTP should only contain at most one of PathExact, PathPrefix, or PathRegex",
    ],
    [[permission({ Header: [{}] })], "Sources[0].Permissions[0].HTTP.Header[0] missing required Name field"],
    [
      [permission({ Methods: ["x"] })],
      'Sources[0].Permissions[0].HTTP.Methods contains an invalid method "X"',
    ],
    [
      [{ Name: "a", Permissions: [{ Action: "allow", HTTP: { PathExact: "/" }, JWT: { Providers: [{}] } }] }],
      "JWT provider name is required",
    ],
    [
      [
        { Name: "a", Action: "deny" },
        { Name: "a", Action: "allow" },
      ],
      'Sources[1] defines "a" more than once',
    ],
    [
      [
        { Name: "a", Peer: "p", Action: "deny" },
        { Name: "a", Peer: "p", Action: "allow" },
      ],
      'Sources[1] defines peer("p") "a" more than once',
    ],
    [
      [
        { Name: "a", SamenessGroup: "g", Action: "deny" },
        { Name: "a", SamenessGroup: "g", Action: "allow" },
      ],
      'Sources[1] defines sameness-group("g") "a" more than once',
    ],
  ])("%j is refused", async (sources, text) => {
    expect(await refusal(intentions("web", ...sources))).toBe(text);
  });

  test("a wildcarded destination has no permissions", async () => {
    expect(await refusal(intentions("*", permission({ PathExact: "/" })))).toBe(
      "Sources[0].Permissions cannot be specified on intentions with wildcarded destinations",
    );
  });

  test("its own name is a wildcard as a whole or not at all", async () => {
    expect(await refusal(intentions("web*", { Name: "a", Action: "deny" }))).toBe(
      "Name: wildcard character '*' cannot be used with partial values",
    );
  });

  test("the token's providers have names", async () => {
    const entry = { ...intentions("web", { Name: "a", Action: "deny" }), JWT: { Providers: [{}] } };
    expect(await refusal(entry)).toBe("JWT provider name is required");
  });

  test("one source may be there once in each place", () =>
    accepts(
      intentions(
        "web",
        { Name: "a", Action: "allow" },
        { Name: "a", Namespace: "team", Action: "deny" },
        { Name: "a", Peer: "p", Action: "deny" },
        { Name: "a", SamenessGroup: "p", Action: "deny" },
        { Name: "*", Namespace: "*", Action: "deny" },
        { Name: "b", Permissions: [{ Action: "deny", HTTP: { PathPrefix: "/", Methods: ["get"] } }] },
      ),
    ));
});

describe("ingress-gateway", () => {
  const gateway = (listener: object, fields: object = {}) => ({
    Kind: "ingress-gateway",
    Name: "ingress",
    ...fields,
    Listeners: [{ Port: 80, Protocol: "http", Services: [{ Name: "web" }], ...listener }],
  });
  const service = (fields: object, listener: object = {}) =>
    gateway({ Services: [{ Name: "web", ...fields }], ...listener });
  const at = "(listener on port 80)";

  test.each([
    [
      gateway({ Protocol: "udp" }),
      "protocol must be 'tcp', 'http', 'http2', or 'grpc'. 'udp' is an unsupported protocol",
    ],
    [gateway({ Services: [] }), "No service declared for listener with port 80"],
    [
      gateway({ Protocol: "tcp", Services: [{ Name: "a" }, { Name: "b" }] }),
      `Multiple services per listener are only supported for L7 protocols, 'http', 'grpc' and 'http2' ${at}`,
    ],
    [
      gateway({ Protocol: "tcp", Services: [{ Name: "*" }] }),
      `Wildcard service name is only valid for protocol = 'http' ${at}`,
    ],
    [
      service({ Hosts: ["a"] }, { Protocol: "tcp" }),
      `Associating hosts to a service is not supported for the tcp protocol ${at}`,
    ],
    [
      service({ RequestHeaders: { Add: { a: "b" } } }, { Protocol: "tcp" }),
      'request headers only valid for http, http2 and grpc protocols (service "web" on listener on port 80)',
    ],
    [
      service({ ResponseHeaders: { Remove: ["a"] } }, { Protocol: "tcp" }),
      'response headers only valid for http, http2 and grpc protocols (service "web" on listener on port 80)',
    ],
    [gateway({ Services: [{}] }), `Service name cannot be blank ${at}`],
    [
      gateway({ Services: [{ Name: "*", Hosts: ["a"] }] }),
      `Associating hosts to a wildcard service is not supported ${at}`,
    ],
    [service({ Namespace: "*" }), `Wildcard namespace is not supported for ingress services ${at}`],
    [
      gateway({ Services: [{ Name: "web" }, { Name: "web" }] }),
      `Service web cannot be added multiple times ${at}`,
    ],
    [
      gateway({
        Services: [
          { Name: "web", Hosts: ["a"] },
          { Name: "b", Hosts: ["a"] },
        ],
      }),
      `Hosts must be unique within a specific listener ${at}`,
    ],
    [
      service({ Hosts: ["a.*.b"] }),
      'Host "a.*.b" is not valid, a wildcard specifier is only allowed as the leftmost label',
    ],
    [
      { ...service({ Hosts: ["*"] }), TLS: { Enabled: true } },
      "Host '*' is not allowed when TLS is enabled, all hosts must be valid DNS records to add as a DNSSAN",
    ],
    [gateway({}, { TLS: { TLSMinVersion: "SSLv3" } }), "no matching TLS version found for SSLv3"],
    [
      gateway({ TLS: { TLSMinVersion: "TLSv1_3", TLSMaxVersion: "TLSv1_2" } }),
      "configuring max version TLSv1_2 less than the configured min version TLSv1_3 is invalid",
    ],
    [
      gateway({}, { TLS: { SDS: { CertResource: "c" } } }),
      "TLS.SDS.ClusterName is required if CertResource is set",
    ],
    [
      gateway({}, { TLS: { SDS: { ClusterName: "c" } } }),
      `TLS.SDS.CertResource is required if ClusterName is set for gateway ${at}`,
    ],
    [
      gateway({ TLS: { SDS: { ClusterName: "c" } } }),
      `TLS.SDS.CertResource is required if ClusterName is set for listener ${at}`,
    ],
    [
      gateway({ TLS: { SDS: { CertResource: "c" } } }),
      `TLS.SDS.ClusterName is required if CertResource is set ${at}`,
    ],
    [
      service({ TLS: { SDS: { ClusterName: "c", CertResource: "r" } } }),
      'A service specifying TLS.SDS.CertResource must have at least one item in Hosts (service "web" on listener on port 80)',
    ],
    [
      service({ Hosts: ["a"], TLS: { SDS: { CertResource: "r" } } }),
      'TLS.SDS.ClusterName is required if CertResource is set (service "web" on listener on port 80)',
    ],
  ])("%j is refused", async (entry, text) => {
    expect(await refusal(entry)).toBe(text);
  });

  test("two listeners do not share a port", async () => {
    const [listener] = gateway({}).Listeners;
    expect(await refusal({ ...gateway({}), Listeners: [listener, listener] })).toBe(
      "port 80 declared on two listeners",
    );
  });

  test.each([
    gateway({ Services: [{ Name: "web", Hosts: ["a.example.com", "*.b.example.com"] }] }),
    gateway({ Services: [{ Name: "*" }] }),
    gateway({ TLS: { SDS: { CertResource: "r" } } }, { TLS: { SDS: { ClusterName: "c" } } }),
    service({ Hosts: ["a"], TLS: { SDS: { ClusterName: "c", CertResource: "r" } } }),
  ])("%j is accepted", (entry) => accepts(entry));
});

describe("terminating-gateway", () => {
  const gateway = (...Services: object[]) => ({ Kind: "terminating-gateway", Name: "out", Services });

  test.each([
    [[{ SNI: "a" }], "Service name cannot be blank."],
    [[{ Name: "a", Namespace: "*" }], "Wildcard namespace is not supported for terminating gateway services"],
    [[{ Name: "a" }, { Name: "a" }], 'Service "a" was specified more than once within a namespace'],
    [
      [{ Name: "a", CertFile: "c" }],
      'Service "a" must have a CertFile, CAFile, and KeyFile specified for TLS origination',
    ],
    [
      [{ Name: "a", CAFile: "c", KeyFile: "k" }],
      'Service "a" must have a CertFile, CAFile, and KeyFile specified for TLS origination',
    ],
  ])("%j is refused", async (services, text) => {
    expect(await refusal(gateway(...services))).toBe(text);
  });

  test("a whole one is accepted", () =>
    accepts(
      gateway(
        { Name: "a", CAFile: "c" },
        { Name: "a", Namespace: "team" },
        { Name: "*", CAFile: "a", CertFile: "b", KeyFile: "c", SNI: "d" },
      ),
    ));
});

describe("api-gateway", () => {
  const gateway = (...Listeners: object[]) => ({ Kind: "api-gateway", Name: "front", Listeners });
  const listener = (fields: object = {}) => ({ Name: "l", Port: 80, Protocol: "http", ...fields });

  test.each([
    [[], "api gateway must have at least one listener"],
    [
      [listener({ Name: "" })],
      'listener name "" is invalid, must be at least 1 character and contain only letters, numbers, or dashes',
    ],
    [
      [listener({ Name: "L_1" })],
      'listener name "L_1" is invalid, must be at least 1 character and contain only letters, numbers, or dashes',
    ],
    [[listener(), listener({ Port: 81 })], 'found multiple listeners with the name "l"'],
    [[listener(), listener({ Name: "m", Hostname: "a" })], 'listeners "l" and "m" cannot be merged'],
    [
      [listener({ Protocol: "grpc" })],
      "unsupported listener protocol \"grpc\", must be one of 'tcp', or 'http'",
    ],
    [
      [listener({ Protocol: "tcp", Hostname: "a" })],
      "hostname specification is not supported when using TCP",
    ],
    [[listener({ Port: 0 })], "listener port 0 not in the range 1-65535"],
    [[listener({ Port: 70_000 })], "listener port 70000 not in the range 1-65535"],
    [
      [listener({ Hostname: "a.*" })],
      'host "a.*" is not valid, a wildcard specifier is only allowed as the left-most label',
    ],
    [
      [listener({ TLS: { Certificates: [{ Kind: "mesh", Name: "a" }] } })],
      "unsupported certificate kind: \"mesh\", must be 'inline-certificate'",
    ],
    [[listener({ TLS: { Certificates: [{}] } })], "certificate reference must have a name"],
    [[listener({ TLS: { MinVersion: "x" } })], "no matching TLS version found for x"],
    [
      [listener({ TLS: { MinVersion: "TLSv1_3", CipherSuites: ["x"] } })],
      "configuring CipherSuites is only applicable to connections negotiated with TLS 1.2 or earlier",
    ],
  ])("%j is refused", async (listeners, text) => {
    expect(await refusal(gateway(...listeners))).toBe(text);
  });

  test("listeners of one port that are alike are accepted", () =>
    accepts(
      gateway(
        listener({ Hostname: "*.example.com" }),
        listener({ Name: "m-1.x", Hostname: "*.example.com" }),
      ),
    ));
});

describe("http-route and tcp-route", () => {
  const route = (fields: object) => ({ Kind: "http-route", Name: "r", ...fields });
  const match = (fields: object) => route({ Rules: [{}, { Matches: [{}, fields] }] });

  test.each([
    [route({ Hostnames: ["*.example.com"] }), 'host "*.example.com" must not be a wildcard'],
    [match({ Method: "fetch" }), 'Rule[1], Match[1], Method contains an invalid method "FETCH"'],
    [match({ Query: [{ Match: "exact" }] }), "Rule[1], Match[1], Query[0], missing required Name field"],
    [
      match({ Query: [{ Match: "suffix", Name: "q" }] }),
      "Rule[1], Match[1], Query[0], match type should be one of present, exact, or regex",
    ],
    [match({ Headers: [{ Match: "exact" }] }), "Rule[1], Match[1], Headers[0], missing required Name field"],
    [
      match({ Headers: [{ Name: "a" }] }),
      "Rule[1], Match[1], Headers[0], match type should be one of present, exact, prefix, suffix, or regex",
    ],
    [
      match({ Path: { Match: "like", Value: "/" } }),
      "Rule[1], Match[1], Path, match type should be one of exact, prefix, or regex",
    ],
    [
      match({ Path: { Match: "exact", Value: "a" } }),
      "Rule[1], Match[1], Path, exact type match doesn't start with '/': \"a\"",
    ],
  ])("%j is refused", async (entry, text) => {
    expect(await refusal(entry)).toBe(text);
  });

  test.each(["http-route", "tcp-route"])("parents of a %s are api gateways, each once", async (Kind) => {
    const parents = (...Parents: object[]) => ({ Kind, Name: "r", Parents });
    expect(await refusal(parents({ Kind: "ingress-gateway", Name: "a" }))).toBe(
      "unsupported parent kind: \"ingress-gateway\", must be 'api-gateway'",
    );
    expect(await refusal(parents({ Name: "a" }, { Name: "a", Kind: "api-gateway" }))).toBe(
      "route parents must be unique",
    );
    await accepts(parents({ Name: "a" }, { Name: "a", SectionName: "s" }, { Name: "a", Namespace: "team" }));
  });

  test("a tcp-route leads to one service", async () => {
    const entry = { Kind: "tcp-route", Name: "r", Services: [{ Name: "a" }, { Name: "b" }] };
    expect(await refusal(entry)).toBe("tcp-route currently only supports one service");
  });

  test("without a path a match is for every path; a weight is at least one", async () => {
    const entry = route({
      Rules: [{ Matches: [{ Method: "get" }], Services: [{ Name: "a" }, { Name: "b", Weight: 7 }] }],
    });
    const { Rules } = await scene.existing(entry as never);
    expect(Rules[0].Matches).toEqual([
      { Headers: null, Method: "GET", Path: { Match: "prefix", Value: "/" }, Query: null },
    ]);
    expect(Rules[0].Services).toMatchObject([{ Weight: 1 }, { Weight: 7 }]);
  });
});

describe("inline-certificate, where certificates are read", () => {
  const certificate = (Certificate: string, PrivateKey: string) => ({
    Kind: "inline-certificate",
    Name: "web",
    Certificate,
    PrivateKey,
  });
  const checked = { readsCertificates: true };
  const broken = (pem: string) => pem.replace(/\n.{10}/, "\n##########");

  test.each([
    ["no key", CERTIFICATE, "", "failed to parse private key PEM"],
    ["no certificate", "text", PRIVATE_KEY, "failed to parse certificate PEM"],
    ["a broken key", CERTIFICATE, broken(PRIVATE_KEY), "tls: failed to parse private key"],
    [
      "a broken certificate",
      broken(CERTIFICATE),
      PRIVATE_KEY,
      "failed to parse certificate: x509: malformed certificate",
    ],
    ["another's key", CERTIFICATE, anotherKey(), "tls: private key does not match public key"],
    ["a short key", CERTIFICATE, shortKey(), "key length must be at least 2048 bits"],
  ])("%s is refused", async (_name, pem, key, text) => {
    expect(await refusal(certificate(pem, key), checked)).toBe(text);
  });

  test("text around the blocks does not count", async () => {
    const scene = new Scene(checked);
    const entry = certificate(`of web\n${CERTIFICATE}`, `of web\n${PRIVATE_KEY}`);
    expect((await scene.put(entry)).body).toBe(TRUE);
    expect((await scene.entry("inline-certificate", "web")).PrivateKey).toBe(`of web\n${PRIVATE_KEY}`);
  });

  test("where they are not, any text will do", () => accepts(certificate("one", "two")));
});

describe("exported-services", () => {
  const exported = (...Services: object[]) => ({ Kind: "exported-services", Name: "default", Services });
  const to = (...Consumers: object[]) => exported({ Name: "web", Consumers });

  test.each([
    [{ ...exported(), Name: "other" }, 'exported-services Name must be "default"'],
    [exported({ Consumers: [{ Peer: "p" }] }), "Services[0]: service name cannot be empty"],
    [
      exported({ Name: "web", Namespace: "*", Consumers: [{ Peer: "p" }] }),
      "Services[0]: service name must be wildcard if namespace is wildcard",
    ],
    [to(), "Services[0]: must have at least one consumer"],
    [
      to({ Peer: "p" }, { Peer: "p", Partition: "x" }),
      "Services[0].Consumers[1]: must define at most one of Peer, Partition, or SamenessGroup",
    ],
    [
      to({ Partition: "*" }),
      "Services[0].Consumers[0]: exporting to all partitions (wildcard) is not supported",
    ],
    [to({ Peer: "*" }), "Services[0].Consumers[0]: exporting to all peers (wildcard) is not supported"],
  ])("%j is refused", async (entry, text) => {
    expect(await refusal(entry)).toBe(text);
  });

  test("everything may be exported", () =>
    accepts(exported({ Name: "*", Namespace: "*", Consumers: [{ SamenessGroup: "g" }] })));
});

describe("mesh", () => {
  const http = (RequestNormalization: object) => ({ HTTP: { Incoming: { RequestNormalization } } });

  test.each([
    [{ TLS: { Incoming: { TLSMaxVersion: "x" } } }, "no matching TLS version found for x"],
    [
      { TLS: { Outgoing: { TLSMinVersion: "TLSv1_2", TLSMaxVersion: "TLSv1_0" } } },
      "configuring max version TLSv1_0 less than the configured min version TLSv1_2 is invalid",
    ],
    [
      http({ PathWithEscapedSlashesAction: "x" }),
      "error in HTTP incoming request normalization configuration: no matching PathWithEscapedSlashesAction value found for x, please specify one of [IMPLEMENTATION_SPECIFIC_DEFAULT, KEEP_UNCHANGED, REJECT_REQUEST, UNESCAPE_AND_REDIRECT, UNESCAPE_AND_FORWARD]",
    ],
    [
      http({ HeadersWithUnderscoresAction: "x" }),
      "error in HTTP incoming request normalization configuration: no matching HeadersWithUnderscoresAction value found for x, please specify one of [ALLOW, REJECT_REQUEST, DROP_HEADER]",
    ],
  ])("%j is refused", async (fields, text) => {
    expect(await refusal({ Kind: "mesh", Name: "mesh", ...fields })).toBe(text);
  });

  test.each([
    { TLSMinVersion: "TLSv1_2" },
    { TLSMaxVersion: "TLSv1_2" },
    { TLSMinVersion: "TLSv1_2", TLSMaxVersion: "TLSv1_2" },
  ])("%j are bounds", (Incoming) => accepts({ Kind: "mesh", Name: "mesh", TLS: { Incoming } }));

  test("TLS_AUTO is a version", () =>
    accepts({
      Kind: "mesh",
      Name: "mesh",
      TLS: { Incoming: { TLSMinVersion: "TLS_AUTO", TLSMaxVersion: "TLSv1_2" } },
    }));
});
