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
];
