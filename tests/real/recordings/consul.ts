import type { Exchange } from "../../recorded/exchange";

const ENTRY = { Kind: "service-defaults", Name: "web", Protocol: "http" };
const KIND = "/v1/config/service-defaults";
const ROUTE = {
  Kind: "http-route",
  Name: "route",
  Parents: [{ Name: "front", SectionName: "web" }],
  Hostnames: ["web.example.com"],
  Rules: [
    {
      Matches: [{ Path: { Match: "prefix", Value: "/a" }, Method: "GET" }],
      Filters: { TimeoutFilter: { RequestTimeout: "60s" }, RetryFilter: { NumRetries: 2 } },
      Services: [{ Name: "web", Weight: 3 }],
    },
  ],
};
const ROUTE_AT = "/v1/config/http-route/route";
const AT = "/v1/config/service-defaults/web";

const KEY = "/v1/kv/recorded/key";
const setKey = (Index: number | string) => [
  { KV: { Verb: "cas", Key: "recorded/key", Value: "b24=", Flags: 7, Index } },
];
const keys: readonly Exchange[] = [
  { about: "a key that is not there", method: "GET", path: KEY },
  { about: "the keys under a prefix that has none", method: "GET", path: "/v1/kv/recorded?recurse" },
  { about: "a key, created", method: "PUT", path: "/v1/txn", body: setKey(0) },
  { about: "a key that is there, created", method: "PUT", path: "/v1/txn", body: setKey(0) },
  { about: "a key", method: "GET", path: KEY },
  { about: "the keys under a prefix", method: "GET", path: "/v1/kv/recorded?recurse" },
  { about: "the names of the keys under a prefix", method: "GET", path: "/v1/kv/recorded?keys" },
  { about: "a key, without a token", method: "GET", path: KEY, as: "nobody" },
  { about: "a key, written without a token", method: "PUT", path: "/v1/txn", body: setKey(0), as: "nobody" },
  { about: "a transaction that is no list", method: "PUT", path: "/v1/txn", body: { KV: {} } },
  { about: "a key in a namespace", method: "GET", path: `${KEY}?ns=default` },
  {
    about: "a key without content, written",
    method: "PUT",
    path: "/v1/txn",
    body: [{ KV: { Verb: "set", Key: "recorded/empty" } }],
  },
  { about: "a key without content", method: "GET", path: "/v1/kv/recorded/empty" },
  { about: "a key under another index, deleted", method: "DELETE", path: `${KEY}?cas=1` },
  { about: "a key, deleted", method: "DELETE", path: KEY },
  { about: "a key that is not there, deleted", method: "DELETE", path: `${KEY}?cas=1` },
  { about: "a key without content, deleted", method: "DELETE", path: "/v1/kv/recorded/empty" },
];

const RULES = 'key_prefix "recorded/" { policy = "read" }';
const POLICY = "/v1/acl/policy";
const ROLE = "/v1/acl/role";
const recordedRole = {
  Name: "recorded",
  Policies: [{ Name: "recorded" }],
  ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc1"] }],
  NodeIdentities: [{ NodeName: "n1", Datacenter: "dc1" }],
  TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "api" } }],
};
const NO_ID = "11111111-2222-3333-4444-555555555555";
const acls: readonly Exchange[] = [
  { about: "an ACL policy by a name that is none", method: "GET", path: `${POLICY}/name/recorded` },
  { about: "an ACL policy that is not there", method: "GET", path: `${POLICY}/${NO_ID}` },
  { about: "an ACL policy without a name", method: "PUT", path: POLICY, body: { Rules: RULES } },
  { about: "an ACL policy with a blank", method: "PUT", path: POLICY, body: { Name: "a b" } },
  { about: "an ACL policy with a member that is none", method: "PUT", path: POLICY, body: { Nothing: 1 } },
  {
    about: "an ACL policy, created",
    method: "PUT",
    path: POLICY,
    body: { Name: "recorded", Rules: RULES, Datacenters: ["dc1"] },
    keep: { policy: ["ID"] },
  },
  { about: "an ACL policy that is there, created", method: "PUT", path: POLICY, body: { Name: "recorded" } },
  { about: "an ACL policy", method: "GET", path: `${POLICY}/{policy}` },
  { about: "an ACL policy by its name", method: "GET", path: `${POLICY}/name/recorded` },
  { about: "an ACL policy, without a token", method: "GET", path: `${POLICY}/{policy}`, as: "nobody" },
  { about: "an ACL policy in a namespace", method: "GET", path: `${POLICY}/{policy}?ns=default` },
  {
    about: "an ACL policy, replaced",
    method: "PUT",
    path: `${POLICY}/{policy}`,
    body: { Name: "recorded", Description: "again", Rules: "" },
  },
  {
    about: "an ACL policy that is not there, replaced",
    method: "PUT",
    path: `${POLICY}/${NO_ID}`,
    body: { Name: "other" },
  },
  { about: "an ACL role by a name that is none", method: "GET", path: `${ROLE}/name/recorded` },
  {
    about: "an ACL role with a policy that is none",
    method: "PUT",
    path: ROLE,
    body: { Name: "recorded", Policies: [{ Name: "none" }] },
  },
  {
    about: "an ACL role with a template that is none",
    method: "PUT",
    path: ROLE,
    body: { Name: "recorded", TemplatedPolicies: [{ TemplateName: "none" }] },
  },
  { about: "an ACL role, created", method: "PUT", path: ROLE, body: recordedRole, keep: { role: ["ID"] } },
  { about: "an ACL role that is there, created", method: "PUT", path: ROLE, body: { Name: "recorded" } },
  { about: "an ACL role", method: "GET", path: `${ROLE}/{role}` },
  { about: "an ACL role by its name", method: "GET", path: `${ROLE}/name/recorded` },
  { about: "the ACL roles", method: "GET", path: "/v1/acl/roles" },
  {
    about: "an ACL role, replaced",
    method: "PUT",
    path: `${ROLE}/{role}`,
    body: { Name: "recorded", Description: "empty" },
  },
  { about: "an ACL role, deleted", method: "DELETE", path: `${ROLE}/{role}` },
  { about: "an ACL role that is not there", method: "GET", path: `${ROLE}/{role}` },
  { about: "an ACL role that is not there, deleted", method: "DELETE", path: `${ROLE}/{role}` },
  { about: "an ACL policy, deleted", method: "DELETE", path: `${POLICY}/{policy}` },
  { about: "an ACL policy that is not there, deleted", method: "DELETE", path: `${POLICY}/{policy}` },
];

const TOKEN = "/v1/acl/token";
const ACCESSOR = "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a11";
const tokens: readonly Exchange[] = [
  { about: "an ACL token that is not there", method: "GET", path: `${TOKEN}/${ACCESSOR}` },
  {
    about: "an ACL token with a role that is none",
    method: "PUT",
    path: TOKEN,
    body: { Roles: [{ Name: "none" }] },
  },
  {
    about: "an ACL token, created",
    method: "PUT",
    path: TOKEN,
    body: {
      AccessorID: ACCESSOR,
      SecretID: "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a12",
      Description: "recorded",
      ServiceIdentities: [{ ServiceName: "web" }],
      ExpirationTTL: "1h",
    },
  },
  {
    about: "an ACL token that is there, created",
    method: "PUT",
    path: TOKEN,
    body: { AccessorID: ACCESSOR },
  },
  { about: "an ACL token", method: "GET", path: `${TOKEN}/${ACCESSOR}` },
  {
    about: "an ACL token that becomes local",
    method: "PUT",
    path: `${TOKEN}/${ACCESSOR}`,
    body: { Local: true },
  },
  {
    about: "an ACL token with a time to live, replaced",
    method: "PUT",
    path: `${TOKEN}/${ACCESSOR}`,
    body: { ExpirationTTL: "1h" },
  },
  { about: "an ACL token, replaced", method: "PUT", path: `${TOKEN}/${ACCESSOR}`, body: { Description: "" } },
  { about: "an ACL token, deleted", method: "DELETE", path: `${TOKEN}/${ACCESSOR}` },
  { about: "an ACL token that is not there, deleted", method: "DELETE", path: `${TOKEN}/${ACCESSOR}` },
];

/** The requests to Consul. */
export const consul: readonly Exchange[] = [
  { about: "an entry, without a token", method: "GET", path: AT, as: "nobody" },
  { about: "an entry, with a token that does not exist", method: "GET", path: AT, as: "stranger" },
  { about: "an entry that is not there", method: "GET", path: AT },
  { about: "no entries", method: "GET", path: "/v1/config/service-defaults" },
  { about: "entries of a kind that is none", method: "GET", path: "/v1/config/nothing" },
  { about: "an entry that is no JSON", method: "PUT", path: "/v1/config", text: "{" },
  {
    about: "a member that is none",
    method: "PUT",
    path: "/v1/config",
    body: { ...ENTRY, Nothing: true },
  },
  {
    about: "a number that no machine holds",
    method: "PUT",
    path: "/v1/config",
    text: '{"Kind":"service-defaults","Name":"web","MaxInboundConnections":1e1000}',
  },
  { about: "an entry, created", method: "PUT", path: "/v1/config?cas=0", body: ENTRY },
  { about: "an entry", method: "GET", path: AT, keep: { index: ["ModifyIndex"] } },
  { about: "an equal entry, created", method: "PUT", path: "/v1/config?cas=0", body: ENTRY },
  {
    about: "another entry, created",
    method: "PUT",
    path: "/v1/config?cas=0",
    body: { ...ENTRY, Protocol: "tcp" },
  },
  {
    about: "an entry under its index",
    method: "PUT",
    path: "/v1/config?cas={index}",
    body: { ...ENTRY, Meta: { team: "a" } },
  },
  { about: "the entries", method: "GET", path: "/v1/config/service-defaults" },
  {
    about: "a splitter of a service without HTTP",
    method: "PUT",
    path: "/v1/config",
    body: { Kind: "service-splitter", Name: "plain", Splits: [{ Weight: 100 }] },
  },
  { about: "an entry under an index of before, deleted", method: "DELETE", path: `${AT}?cas={index}` },
  { about: "an entry, deleted", method: "DELETE", path: AT },
  { about: "an entry that is not there, deleted", method: "DELETE", path: AT },
  {
    about: "an entry that is not there, deleted under an index",
    method: "DELETE",
    path: `${AT}?cas={index}`,
  },
  {
    about: "the mesh's own entry, with a name",
    method: "PUT",
    path: "/v1/config",
    body: { Kind: "mesh", Name: "mesh" },
  },
  { about: "the mesh's own entry", method: "PUT", path: "/v1/config", body: { Kind: "mesh" } },
  { about: "the mesh's own entry, read", method: "GET", path: "/v1/config/mesh/mesh" },
  { about: "entries of a datacenter that is none", method: "GET", path: `${KIND}?dc=nowhere` },
  { about: "entries under a filter that names nothing", method: "GET", path: `${KIND}?filter=Nothing==1` },
  { about: "entries of a namespace", method: "GET", path: `${KIND}?ns=default` },
  { about: "entries of a partition", method: "GET", path: `${KIND}?partition=default` },
  {
    about: "an entry with a namespace",
    method: "PUT",
    path: "/v1/config",
    body: { ...ENTRY, Namespace: "default" },
  },
  {
    about: "an entry with a partition",
    method: "PUT",
    path: "/v1/config",
    body: { ...ENTRY, Partition: "team" },
  },
  {
    about: "an entry with rate limits",
    method: "PUT",
    path: "/v1/config",
    body: { ...ENTRY, RateLimits: { InstanceLevel: { RequestsPerSecond: 1 } } },
  },
  {
    about: "intentions from a namespace",
    method: "PUT",
    path: "/v1/config",
    body: {
      Kind: "service-intentions",
      Name: "web",
      Sources: [{ Name: "api", Namespace: "team", Action: "allow" }],
    },
  },
  {
    about: "a service that is exported to a sameness group",
    method: "PUT",
    path: "/v1/config",
    body: {
      Kind: "exported-services",
      Name: "default",
      Services: [{ Name: "web", Consumers: [{ SamenessGroup: "all" }] }],
    },
  },
  {
    about: "durations of an outlier check",
    method: "PUT",
    path: "/v1/config",
    body: {
      ...ENTRY,
      UpstreamConfig: { Defaults: { PassiveHealthCheck: { Interval: "1m30s", BaseEjectionTime: "20s" } } },
    },
  },
  { about: "durations of an outlier check, read", method: "GET", path: AT },
  {
    about: "durations of a resolver",
    method: "PUT",
    path: "/v1/config",
    body: {
      Kind: "service-resolver",
      Name: "web",
      ConnectTimeout: "90s",
      RequestTimeout: "3s",
      LoadBalancer: {
        Policy: "ring_hash",
        HashPolicies: [{ Field: "cookie", FieldValue: "a", CookieConfig: { TTL: "10s" } }],
      },
    },
  },
  { about: "durations of a resolver, read", method: "GET", path: "/v1/config/service-resolver/web" },
  { about: "a route, created", method: "PUT", path: "/v1/config?cas=0", body: ROUTE },
  // Consul's controller updates the status of the route. The next read waits for that.
  {
    about: "a route, as it was created",
    method: "GET",
    path: ROUTE_AT,
    keep: { created: ["CreateIndex"] },
  },
  { about: "a route that was looked at", method: "GET", path: `${ROUTE_AT}?index={created}&wait=5s` },
  { about: "an equal route under an earlier index", method: "PUT", path: "/v1/config?cas=0", body: ROUTE },
  ...keys,
  ...acls,
  ...tokens,
];
