import {
  expectAccepted,
  rejectionMessage,
  testRejections,
  testRejectionsContaining,
} from "./mesh-rejections";
import { defaults, intentions, SAMPLES, Scene, scene, TRUE } from "./mesh-scene";

describe("Meta", () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

  test("accepts 64 entries, a key of 128 characters and a value of 512 characters", async () => {
    await expectAccepted(defaults("web", { Meta: { ...many(63), ["k".repeat(128)]: "v".repeat(512) } }));
  });

  test.each(
    Object.entries({
      "Meta exceeds maximum element count 64": many(65),
      [`Meta key "${"k".repeat(129)}" exceeds maximum length 128`]: { ["k".repeat(129)]: "v" },
      'Meta value for key "k" exceeds maximum length 512': { k: "v".repeat(513) },
    }),
  )("rejects a larger Meta: %s", async (text, Meta) => {
    expect(await rejectionMessage(defaults("web", { Meta }))).toBe(`1 error occurred:\n\t* ${text}\n\n`);
    expect(await rejectionMessage({ ...SAMPLES.mesh, Meta })).toContain(text);
  });
});

describe("service-defaults", () => {
  test("rejects a wildcard as its name", async () => {
    expect(await rejectionMessage(defaults("*"))).toBe(
      "service-defaults name must be the name of a service, and not a wildcard",
    );
  });

  testRejectionsContaining("an entry", (fields) => defaults("web", fields), {
    "invalid value for balance_inbound_connections: even": { BalanceInboundConnections: "even" },
    "UpstreamConfig and Destination are mutually exclusive for service defaults": {
      UpstreamConfig: {},
      Destination: { Addresses: ["a.example"], Port: 80 },
    },
    "error in upstream override for : Name is required": {
      UpstreamConfig: { Overrides: [{ Protocol: "http" }] },
    },
    "error in upstream override for *: Wildcard name is not supported": {
      UpstreamConfig: { Overrides: [{ Name: "*" }] },
    },
    "error in upstream defaults: Name must be empty": { UpstreamConfig: { Defaults: { Name: "db" } } },
    "error in upstream defaults: max concurrent requests cannot be negative": {
      UpstreamConfig: {
        Defaults: { Limits: { MaxConnections: -1, MaxPendingRequests: -1, MaxConcurrentRequests: -1 } },
      },
    },
    "error in upstream defaults: passive health check interval cannot be negative": {
      UpstreamConfig: { Defaults: { PassiveHealthCheck: { Interval: "-1s" } } },
    },
    "passive health check enforcing_consecutive_5xx must be a percentage between 0 and 100": {
      UpstreamConfig: { Defaults: { PassiveHealthCheck: { EnforcingConsecutive5xx: 101 } } },
    },
    "error in upstream override for a: passive health check max_ejection_percent must be a percentage between 0 and 100":
      { UpstreamConfig: { Overrides: [{ Name: "a", PassiveHealthCheck: { MaxEjectionPercent: 101 } }] } },
    "invalid value for balance_outbound_connections: even": {
      UpstreamConfig: { Defaults: { BalanceOutboundConnections: "even" } },
    },
    "Destination must contain at least one valid address": { Destination: { Port: 80 } },
    "Duplicate address 'a' is not allowed": { Destination: { Addresses: ["a", "a"], Port: 80 } },
    "Could not validate address *.example.com as an IP or Hostname": {
      Destination: { Addresses: ["*.example.com"], Port: 80 },
    },
    "Invalid Port number 0": { Destination: { Addresses: ["a"], Port: 0 } },
    "Invalid Port number 65536": { Destination: { Addresses: ["a"], Port: 65_536 } },
  });

  test.each(
    Object.entries({
      'Invalid MutualTLSMode "lax". Must be one of "", "strict", or "permissive".': { MutualTLSMode: "lax" },
      "invalid EnvoyExtensions[0]: Name is required": { EnvoyExtensions: [{ Required: true }] },
    }),
  )("rejects an entry, and the same fields in proxy-defaults: %s", async (text, fields) => {
    expect(await rejectionMessage(defaults("web", fields))).toBe(text);
    expect(await rejectionMessage({ ...SAMPLES["proxy-defaults"], ...fields })).toBe(text);
  });

  test("reports all errors at once", async () => {
    const text = await rejectionMessage(defaults("web", { BalanceInboundConnections: "x", Destination: {} }));
    expect(text).toMatch(/^3 errors occurred:/);
  });

  test.each([
    { BalanceInboundConnections: "exact_balance", MutualTLSMode: "strict" },
    { Destination: { Addresses: ["10.0.0.1", "::1", "db.example.com"], Port: 5432 } },
    { UpstreamConfig: { Overrides: [{ Name: "db", PassiveHealthCheck: { EnforcingConsecutive5xx: 100 } }] } },
  ])("accepts %j", (fields) => expectAccepted(defaults("web", fields)));
});

describe("proxy-defaults", () => {
  testRejections("an entry", (fields) => ({ ...SAMPLES["proxy-defaults"], ...fields }), {
    "invalid access log type: syslog": { AccessLogs: { Type: "syslog" } },
    "cannot specify both access log JSONFormat and TextFormat": {
      AccessLogs: { JSONFormat: "{}", TextFormat: "x" },
    },
    "path is only valid for file type access logs": { AccessLogs: { Path: "/x" } },
    "path must be specified when using file type access logs": { AccessLogs: { Type: "file" } },
    "Failover policy must be one of '', 'sequential', or 'order-by-locality'": {
      FailoverPolicy: { Mode: "x" },
    },
    "invalid prioritize by locality mode: x": { PrioritizeByLocality: { Mode: "x" } },
  });

  test("accepts access logs, a failover policy, a locality mode and Envoy extensions", () =>
    expectAccepted({
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
  ])("rejects a route with the match %j and the destination %j", async (match, destination, text) => {
    expect(await rejectionMessage(router(match, destination))).toBe(`Route[1] ${text}`);
  });

  test("accepts a route with path, header, query and method matches", () =>
    expectAccepted(
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
  ])("rejects the splits %j", async (splits, text) => {
    expect(await rejectionMessage(splitter(...splits))).toBe(text);
  });

  test("rounds weights to hundredths before it checks their sum", async () => {
    const scene = new Scene({}, { entries: [{ entry: SAMPLES["proxy-defaults"] }] });
    const splits = [{ Weight: 99.986 }, { Weight: 0.011, Service: "other" }];
    expect((await scene.put(splitter(...splits))).body).toBe(TRUE);
  });
});

describe("service-resolver", () => {
  const resolver = (fields: object) => ({ Kind: "service-resolver", Name: "web", ...fields });
  const subsets = { Subsets: { v1: {} } };

  testRejectionsContaining("an entry", resolver, {
    "Subset defined with empty name": { Subsets: { "": {} } },
    'Subset "V1" is invalid: must be 63 characters or fewer, begin or end': { Subsets: { V1: {} } },
    "is invalid: must be non-empty and 63 characters or fewer": { Subsets: { ["v".repeat(64)]: {} } },
    'Filter for subset "v1" is not a valid expression: ': { Subsets: { v1: { Filter: "a ==" } } },
    'DefaultSubset "v1" is not a valid subset': { DefaultSubset: "v1" },
    "Redirect is empty": { Redirect: {} },
    "Redirect and Failover cannot both be set": {
      Redirect: { Service: "a" },
      Failover: { "*": { Service: "b" } },
    },
    "Redirect.Peer cannot be set with Redirect.ServiceSubset": {
      Redirect: { Service: "a", Peer: "p", ServiceSubset: "s" },
    },
    "Redirect.Partition cannot be set with Redirect.Peer": {
      Redirect: { Service: "a", Peer: "p", Partition: "x" },
    },
    "Redirect.Peer cannot be set with Redirect.Datacenter": {
      Redirect: { Service: "a", Peer: "p", Datacenter: "d" },
    },
    "Redirect.ServiceSubset defined without Redirect.Service": { Redirect: { ServiceSubset: "v1" } },
    "Redirect.Namespace defined without Redirect.Service": { Redirect: { Namespace: "n" } },
    "Redirect.Partition defined without Redirect.Service": { Redirect: { Partition: "n" } },
    "Redirect.Peer defined without Redirect.Service": { Redirect: { Peer: "n" } },
    'Redirect.ServiceSubset "v9" is not a valid subset of "web"': {
      Redirect: { Service: "web", ServiceSubset: "v9" },
    },
    'Bad Failover["v1"]: not a valid subset subset': { Failover: { v1: { Service: "a" } } },
    'Bad Failover["*"]: one of Service, ServiceSubset, Namespace, Targets, SamenessGroup, or Datacenters is required':
      { Failover: { "*": {} } },
    "Bad Failover[\"*\"]: Policy must be one of '', 'sequential', or 'order-by-locality'": {
      Failover: { "*": { Service: "a", Policy: { Mode: "x" } } },
    },
    'Bad Failover["*"]: ServiceSubset "v9" is not a valid subset of ""': {
      Failover: { "*": { ServiceSubset: "v9" } },
    },
    'Bad Failover["*"]: Targets cannot be set with Service': {
      Failover: { "*": { Targets: [{}], Service: "a" } },
    },
    'Bad Failover["*"]: Targets cannot be set with Datacenters': {
      Failover: { "*": { Targets: [{}], Datacenters: ["a"] } },
    },
    'Bad Failover["*"].Targets[0]: Peer cannot be set with ServiceSubset': {
      Failover: { "*": { Targets: [{ Peer: "p", ServiceSubset: "s" }] } },
    },
    'Bad Failover["*"].Targets[0]: Partition cannot be set with Peer': {
      Failover: { "*": { Targets: [{ Peer: "p", Partition: "s" }] } },
    },
    'Bad Failover["*"].Targets[0]: Peer cannot be set with Datacenter': {
      Failover: { "*": { Targets: [{ Peer: "p", Datacenter: "s" }] } },
    },
    'Bad Failover["*"].Targets[0]: Partition cannot be set with Datacenter': {
      Failover: { "*": { Targets: [{ Partition: "p", Datacenter: "s" }] } },
    },
    'Bad Failover["*"].Targets[0]: ServiceSubset "v9" is not a valid subset of "web"': {
      Failover: { "*": { Targets: [{ ServiceSubset: "v9" }] } },
    },
    'Bad Failover["*"].Datacenters: found empty datacenter': {
      Failover: { "*": { Datacenters: ["a", ""] } },
    },
    "Bad ConnectTimeout '-5s', must be >= 0": { ConnectTimeout: "-5s" },
    "Bad RequestTimeout '-1m30s', must be >= 0": { RequestTimeout: "-90s" },
  });

  test.each(
    Object.entries({
      ' policy: "best" is not supported': { Policy: "best" },
      ' configuration. RingHashConfig specified for incompatible load balancing policy ""': {
        RingHashConfig: {},
      },
      ' configuration. LeastRequestConfig specified for incompatible load balancing policy "random"': {
        Policy: "random",
        LeastRequestConfig: { ChoiceCount: 2 },
      },
      ' configuration: HashPolicies specified for non-hash-based Policy: "random"': {
        Policy: "random",
        HashPolicies: [{ SourceIP: true }],
      },
      ' HashPolicy[0]: "body" is not a supported field': {
        Policy: "maglev",
        HashPolicies: [{ Field: "body", FieldValue: "x" }],
      },
      ' HashPolicy[1]: A single hash policy cannot hash both a source address and a "header"': {
        Policy: "maglev",
        HashPolicies: [{ SourceIP: true }, { SourceIP: true, Field: "header" }],
      },
      " HashPolicy[0]: A FieldValue cannot be specified when hashing SourceIP": {
        Policy: "maglev",
        HashPolicies: [{ SourceIP: true, FieldValue: "x" }],
      },
      ' HashPolicy[0]: Field "header" was specified without a FieldValue': {
        Policy: "maglev",
        HashPolicies: [{ Field: "header" }],
      },
      " HashPolicy[0]: FieldValue requires a Field to apply to": {
        Policy: "maglev",
        HashPolicies: [{ FieldValue: "x" }],
      },
      ' HashPolicy[0]: cookie_config provided for "header"': {
        Policy: "maglev",
        HashPolicies: [{ Field: "header", FieldValue: "x", CookieConfig: {} }],
      },
      " HashPolicy[0]: a session cookie cannot have an associated TTL": {
        Policy: "maglev",
        HashPolicies: [{ Field: "cookie", FieldValue: "x", CookieConfig: { Session: true, TTL: "1s" } }],
      },
    }),
  )("rejects a load balancer: %s", async (text, LoadBalancer) => {
    expect(await rejectionMessage(resolver({ LoadBalancer }))).toBe(`Bad LoadBalancer${text}`);
  });

  test.each([
    { ...subsets, DefaultSubset: "v1" },
    { Redirect: { Service: "other", Datacenter: "dc2" } },
    {
      ...subsets,
      Failover: { v1: { ServiceSubset: "v1", Datacenters: ["dc2"] }, "*": { Targets: [{ Peer: "p" }] } },
    },
    { LoadBalancer: { Policy: "least_request", LeastRequestConfig: { ChoiceCount: 2 } } },
  ])("accepts %j", (fields) => {
    return expect(scene.put(resolver(fields))).resolves.toMatchObject({ body: TRUE });
  });
});

describe("service-intentions", () => {
  const permission = (HTTP?: object, Action = "allow") => ({ Name: "a", Permissions: [{ Action, HTTP }] });

  testRejections("an entry", (sources) => intentions("web", ...sources), {
    "At least one source is required": [],
    "Sources[0].Name is required": [{ Action: "allow" }],
    "Sources[0].Action must be set to 'allow' or 'deny'": [{ Name: "a" }],
    "Sources[0].Name: wildcard character '*' cannot be used with partial values": [
      { Name: "a*", Action: "deny" },
    ],
    "Sources[0].Namespace: wildcard character '*' cannot be used with partial values": [
      { Name: "*", Namespace: "a*", Action: "deny" },
    ],
    "Sources[0].Name: exact value cannot follow wildcard namespace": [
      { Name: "a", Namespace: "*", Action: "deny" },
    ],
    "Sources[0].Peer: cannot use wildcard '*' in peer": [{ Name: "a", Peer: "*", Action: "deny" }],
    "Sources[0].Peer: cannot set Peer and Partition at the same time.": [
      { Name: "a", Peer: "p", Partition: "x", Action: "deny" },
    ],
    "Sources[0].SamenessGroup: cannot set SamenessGroup and Partition at the same time": [
      { Name: "a", SamenessGroup: "p", Partition: "x", Action: "deny" },
    ],
    "Sources[0].SamenessGroup: cannot set SamenessGroup and Peer at the same time": [
      { Name: "a", SamenessGroup: "p", Peer: "x", Action: "deny" },
    ],
    "Sources[0].Description exceeds maximum length 512": [
      { Name: "a", Action: "deny", Description: "x".repeat(513) },
    ],
    "Sources[0].LegacyMeta must be omitted": [{ Name: "a", Action: "deny", LegacyMeta: { a: "b" } }],
    "Sources[0].Type must be set to 'consul'": [{ Name: "a", Action: "deny", Type: "vm" }],
    "Sources[0].Action must be omitted if Permissions are specified": [
      { ...permission({ PathExact: "/" }), Action: "allow" },
    ],
    "Sources[0].Permissions[0].Action must be set to 'allow' or 'deny'": [
      permission({ PathExact: "/" }, "maybe"),
    ],
    "Sources[0].Permissions[0].HTTP is required": [permission()],
    "Sources[0].Permissions[0].HTTP should not be empty": [permission({})],
    "Sources[0].Permissions[0].HTTP.PathExact doesn't start with '/': \"a\"": [
      permission({ PathExact: "a" }),
    ],
    "Sources[0].Permissions[0].HTTP should only contain at most one of PathExact, PathPrefix, or PathRegex": [
      permission({ PathPrefix: "/", PathRegex: "a" }),
    ],
    "Sources[0].Permissions[0].HTTP.Header[0] missing required Name field": [permission({ Header: [{}] })],
    'Sources[0].Permissions[0].HTTP.Methods contains an invalid method "X"': [permission({ Methods: ["x"] })],
    "JWT provider name is required": [
      { Name: "a", Permissions: [{ Action: "allow", HTTP: { PathExact: "/" }, JWT: { Providers: [{}] } }] },
    ],
    'Sources[1] defines "a" more than once': [
      { Name: "a", Action: "deny" },
      { Name: "a", Action: "allow" },
    ],
    'Sources[1] defines peer("p") "a" more than once': [
      { Name: "a", Peer: "p", Action: "deny" },
      { Name: "a", Peer: "p", Action: "allow" },
    ],
    'Sources[1] defines sameness-group("g") "a" more than once': [
      { Name: "a", SamenessGroup: "g", Action: "deny" },
      { Name: "a", SamenessGroup: "g", Action: "allow" },
    ],
  });

  testRejections("an action in upper case", (source) => intentions("web", source), {
    "Sources[0].Action must be set to 'allow' or 'deny'": { Name: "a", Action: "ALLOW" },
  });

  test("rejects permissions of a wildcard destination", async () => {
    expect(await rejectionMessage(intentions("*", permission({ PathExact: "/" })))).toBe(
      "Sources[0].Permissions cannot be specified on intentions with wildcarded destinations",
    );
  });

  test("rejects a partial wildcard as its name", async () => {
    expect(await rejectionMessage(intentions("web*", { Name: "a", Action: "deny" }))).toBe(
      "Name: wildcard character '*' cannot be used with partial values",
    );
  });

  test("rejects a JWT provider without a name", async () => {
    const entry = { ...intentions("web", { Name: "a", Action: "deny" }), JWT: { Providers: [{}] } };
    expect(await rejectionMessage(entry)).toBe("JWT provider name is required");
  });

  test("accepts the same source name once per namespace, peer and sameness group", () =>
    expectAccepted(
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
