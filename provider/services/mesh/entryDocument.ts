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
  "http-route",
  "ingress-gateway",
  "inline-certificate",
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

/** Kinds whose entry has one name only. */
export const fixedNames: Readonly<Record<string, string>> = { "proxy-defaults": "global", mesh: "mesh" };

/** Some reads answer the same as a number of nanoseconds (a route's time-outs). */
const duration: Spelling = {
  name: "duration with a unit",
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

/** What is inside an entry and is where the entry is, unless it says otherwise. */
const placed = [
  "Parents.*",
  "Services.*",
  "Sources.*",
  "Rules.*.Services.*",
  "Listeners.*.Services.*",
  "Listeners.*.TLS.Certificates.*",
];

/** What is known of the entries' members. What the service adds, and its indexes, are its own. */
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
      ].flatMap((owner) => within(`${owner}.PassiveHealthCheck`, ["Interval", "BaseEjectionTime"])),
    ].map((pattern) => [pattern, duration]),
  ),
  serverOwned: [
    // Its identity is compared as the object's address.
    ...NOT_MANAGED,
    // What a service is called belongs to the overrides; reads show it, empty.
    "UpstreamConfig.Defaults.Peer",
    "Sources.*.Precedence",
    "Sources.*.LegacyID",
    "Sources.*.LegacyCreateTime",
    "Sources.*.LegacyUpdateTime",
  ],
  serverDefaults: Object.fromEntries([
    ["Parents.*.Kind", "api-gateway"],
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
  // In another place than the default one it is that of the entry.
  inherited: Object.fromEntries(
    placed.flatMap((place) => [
      [`${place}.Namespace`, "namespace"],
      [`${place}.Partition`, "partition"],
    ]),
  ),
  // Every other empty member is as good as absent: reads show some that nobody wrote.
  entries: ["Subsets.*", "Failover.*"],
  freeEntries: ["Config.*", "EnvoyExtensions.*.Arguments.*"],
  // In the spellings that Consul accepts, and in a typed program's.
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

/** An entry's own fields as an object, or as JSON text, each member under the name under which Consul stores it. */
export const entrySpec: Spelling = {
  name: "entry as JSON",
  canonical(value) {
    const entry = typeof value === "string" ? (objectIn(value) ?? value) : value;
    return isObject(entry) ? named(entry) : entry;
  },
  takesUnknown: true,
  encode: (value) => entrySpec.canonical(value),
};
