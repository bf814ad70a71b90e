const inDefault = { Namespace: "default", Partition: "default" };

/** A stored entry of each kind, with the server's defaults. */
const kinds = [
  { Kind: "control-plane-request-limit", Mode: "permissive", ReadRate: 0, WriteRate: 0 },
  { Kind: "sampling" },
  { Kind: "exported-services", Services: { "": { Name: "", Consumers: [{ Peer: "" }] } } },
  { Kind: "jwt-provider", Issuer: "", JSONWebKeySet: { Local: {}, Remote: {} } },
  { Kind: "inline-certificate", Certificate: "", PrivateKey: "" },
  {
    Kind: "mesh",
    TransparentProxy: { MeshDestinationsOnly: false },
    TLS: { Incoming: { TLSMinVersion: "TLSv1_2" } },
  },
  {
    Kind: "ingress-gateway",
    TLS: { Enabled: false },
    Listeners: { "": { Port: 8080, Protocol: "http", Services: [{ Name: "", Hosts: [""], ...inDefault }] } },
  },
  {
    Kind: "terminating-gateway",
    Services: { "": { Name: "", CAFile: "", CertFile: "", KeyFile: "", SNI: "", ...inDefault } },
  },
  {
    Kind: "api-gateway",
    Listeners: {
      "": { Name: "", Hostname: "", Port: 8080, Protocol: "http", TLS: { MaxVersion: "", MinVersion: "" } },
    },
  },
  {
    Kind: "tcp-route",
    Parents: [{ Kind: "api-gateway", Name: "", SectionName: "", ...inDefault }],
    Services: { "": { Name: "", ...inDefault } },
  },
  {
    Kind: "http-route",
    Rules: [
      {
        Filters: { Headers: [], URLRewrite: null },
        Matches: [],
        Services: [{ Name: "", Weight: 1, ...inDefault }],
      },
    ],
    Hostnames: [""],
  },
  {
    Kind: "service-router",
    Routes: [
      {
        Match: { HTTP: { PathPrefix: "/" } },
        Destination: { Service: "", NumRetries: 0, PrefixRewrite: "/", RequestTimeout: "0s" },
      },
    ],
  },
  { Kind: "service-splitter", Splits: [{ Weight: 100, Service: "", ServiceSubset: "" }] },
  {
    Kind: "service-resolver",
    ConnectTimeout: "15s",
    DefaultSubset: "",
    Subsets: { v1: { Filter: "" } },
    Redirect: {},
    Failover: {},
    LoadBalancer: { Policy: "" },
  },
  {
    Kind: "service-intentions",
    Sources: {
      "": { Name: "", Action: "allow", Precedence: 9, Type: "consul", ...inDefault, Permissions: [] },
    },
  },
  {
    Kind: "proxy-defaults",
    Config: { protocol: "http" },
    MeshGateway: { Mode: "local" },
    Expose: {},
    AccessLogs: {},
  },
  {
    Kind: "service-defaults",
    Protocol: "http",
    MutualTLSMode: "",
    TransparentProxy: {},
    MeshGateway: { Mode: "" },
    Expose: {},
    ExternalSNI: "",
    UpstreamConfig: { Defaults: { MeshGateway: { Mode: "" }, Limits: {} }, Overrides: [] },
    MaxInboundConnections: 0,
    LocalConnectTimeoutMs: 0,
    LocalRequestTimeoutMs: 0,
    BalanceInboundConnections: "",
    Meta: {},
  },
  {
    address: { kind: "service-defaults", name: "", namespace: "default" },
    lastApplied: { kind: "service-defaults", name: "", spec: { protocol: "http", Protocol: "http" } },
    baseline: { spec: { Protocol: "http" } },
  },
];

/** Common content of this service's records: see `Service`. A published dictionary never changes. */
const dictionaries: readonly string[] = [JSON.stringify(kinds)];

export default dictionaries;
