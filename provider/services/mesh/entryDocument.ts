import {
  type DocumentFacts,
  durationText,
  isObject,
  type Json,
  memoByObject,
  objectIn,
  parseDuration,
  type Spelling,
} from "../../core";
import { NOT_MANAGED, withEntryNames } from "./entryNames";

/** The kinds of configuration entries (specification: Configuration entry). */
export const kinds = [
  "api-gateway",
  "bound-api-gateway",
  "exported-services",
  "file-system-certificate",
  "http-route",
  "ingress-gateway",
  "inline-certificate",
  "jwt-provider",
  "mesh",
  "proxy-defaults",
  "service-defaults",
  "service-intentions",
  "service-resolver",
  "service-router",
  "service-splitter",
  "tcp-route",
  "terminating-gateway",
] as const;

/** Kinds with only one possible name. */
export const fixedNames: Readonly<Record<string, string>> = { "proxy-defaults": "global", mesh: "mesh" };

/** Some reads return the same duration as a number of nanoseconds (a route's time-outs). */
const duration: Spelling = {
  doc: 'Compared as a duration: `"60s"` and `"1m"` are equal.',
  canonical(value) {
    const nanoseconds = typeof value === "string" ? parseDuration(value, 1) : nanosecondsIn(value);
    return nanoseconds === undefined ? value : `${nanoseconds / 1e9}s`;
  },
  display: (canonical) => durationText(parseDuration(canonical, 1) ?? canonical, 1) ?? canonical,
};

function nanosecondsIn(value: Json): number | undefined {
  return Number.isSafeInteger(value) ? Number(value) : undefined;
}

function within(owner: string, members: readonly string[]): string[] {
  return members.map((member) => `${owner}.${member}`);
}

/** Members of an entry that share its namespace and partition, unless they set their own. */
const placed = [
  "Parents.*",
  "Services.*",
  "Sources.*",
  "Rules.*.Services.*",
  "Listeners.*.Services.*",
  "Listeners.*.TLS.Certificates.*",
];

/** Facts about the members of entries. Consul's additions and its indexes are server-owned. */
export const entryDocument: DocumentFacts = {
  keyedBy: {
    Splits: ["Service", "ServiceSubset", "Namespace", "Partition", "Datacenter"],
    Sources: ["Name", "Namespace", "Partition", "Peer", "SamenessGroup"],
    Listeners: ["Name", "Port"],
    Services: ["Name", "Namespace"],
  },
  spellings: Object.fromEntries(
    [
      "ConnectTimeout",
      "RequestTimeout",
      "LoadBalancer.HashPolicies.*.CookieConfig.TTL",
      ...within("JSONWebKeySet.Remote", [
        "CacheDuration",
        "JWKSCluster.ConnectTimeout",
        ...within("RetryPolicy.RetryPolicyBackOff", ["BaseInterval", "MaxInterval"]),
      ]),
      ...within("Routes.*.Destination", ["RequestTimeout", "IdleTimeout"]),
      ...["Rules.*", "Rules.*.Services.*"].flatMap((rule) =>
        within(`${rule}.Filters.TimeoutFilter`, ["RequestTimeout", "IdleTimeout"]),
      ),
      ...[
        "UpstreamConfig.Defaults",
        "UpstreamConfig.Overrides.*",
        "Defaults",
        "Listeners.*.Services.*",
        "Services.*.Limits",
        "Rules.*.Services.*.Limits",
      ].flatMap((owner) => within(`${owner}.PassiveHealthCheck`, ["Interval", "BaseEjectionTime"])),
    ].map((pattern) => [pattern, duration]),
  ),
  serverOwned: [
    // The identity is compared as the object's address.
    ...NOT_MANAGED,
    // The name of a service belongs to the overrides. Reads return this member, empty.
    "UpstreamConfig.Defaults.Peer",
    "Sources.*.Precedence",
    "Sources.*.LegacyID",
    "Sources.*.LegacyCreateTime",
    "Sources.*.LegacyUpdateTime",
  ],
  serverDefaults: Object.fromEntries([
    ["Parents.*.Kind", "api-gateway"],
    ["ClockSkewSeconds", 30],
    ["Listeners.*.Protocol", "tcp"],
    ["Listeners.*.TLS.Certificates.*.Kind", "inline-certificate"],
    ["Rules.*.Services.*.Weight", 1],
    ["Rules.*.Matches.*.Path.Match", "prefix"],
    ["Rules.*.Matches.*.Path.Value", "/"],
    ...["Rules.*", "Rules.*.Services.*"].flatMap((rule): [string, Json][] => [
      [`${rule}.Filters.TimeoutFilter.RequestTimeout`, "0s"],
      [`${rule}.Filters.TimeoutFilter.IdleTimeout`, "0s"],
      [`${rule}.Filters.RetryFilter.NumRetries`, 0],
      [`${rule}.Filters.RetryFilter.RetryOnConnectFailure`, false],
    ]),
    ["Sources.*.Type", "consul"],
    ...placed.flatMap((place) => within(place, ["Namespace", "Partition"]).map((at) => [at, "default"])),
  ]),
  // Outside the default namespace and partition, the default is that of the entry.
  inherited: Object.fromEntries(
    placed.flatMap((place) => [
      [`${place}.Namespace`, "namespace"],
      [`${place}.Partition`, "partition"],
    ]),
  ),
  blocks: [
    // Its absence means the default, which is enabled or that of the gateway.
    ...["ExtAuthz", "Rules.*.Filters.ExtAuthz", "Rules.*.Services.*.Filters.ExtAuthz"],
    // Without one, a proxy has no cache, no retries, or no settings of this cluster. Consul returns an empty one as written.
    "CacheConfig",
    ...within("JSONWebKeySet.Remote", ["RetryPolicy", "RetryPolicy.RetryPolicyBackOff", "JWKSCluster"]),
    "JSONWebKeySet.Remote.JWKSCluster.TLSCertificates.CaCertificateProviderInstance",
  ],
  // Every other empty member equals an absent one: reads return some that nobody wrote.
  entries: ["Subsets.*", "Failover.*"],
  freeEntries: ["Config.*", "EnvoyExtensions.*.Arguments.*"],
  // In the spellings that Consul accepts, and in that of a typed program.
  secret: [
    "PrivateKey",
    "privateKey",
    "private_key",
    "privatekey",
    "Private_Key",
    "PRIVATE_KEY",
    "PRIVATEKEY",
  ],
};

const named = memoByObject(withEntryNames);

/** An entry's own fields, as an object or as JSON text, with each member under Consul's stored name. */
export const entrySpec: Spelling = {
  doc: "Also accepts a JSON string; formatting and key order are not significant.",
  canonical(value) {
    const entry = typeof value === "string" ? (objectIn(value) ?? value) : value;
    return isObject(entry) ? named(entry) : entry;
  },
  takesUnknown: true,
  encode: (value) => entrySpec.canonical(value),
};
