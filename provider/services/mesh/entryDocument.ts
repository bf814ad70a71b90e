import type { DocumentFacts } from "../../core/facts";
import { isObject, parseJson } from "../../core/json";
import type { Spelling } from "../../core/spelling";
import { parseDuration } from "../../core/spelling";

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

const duration: Spelling = {
  name: "duration with a unit",
  canonical(value) {
    const nanoseconds = typeof value === "string" ? parseDuration(value, 1) : undefined;
    return nanoseconds === undefined ? value : `${nanoseconds / 1e9}s`;
  },
};

/** What is known of the entries' members. What the service adds, and its indexes, are its own. */
export const entryDocument: DocumentFacts = {
  keyedBy: {
    Splits: ["Service", "ServiceSubset", "Namespace", "Partition", "Datacenter"],
    Sources: ["Name", "Namespace", "Partition", "Peer", "SamenessGroup"],
    Listeners: ["Name", "Port"],
    Services: ["Name", "Namespace"],
  },
  spellings: {
    ConnectTimeout: duration,
    RequestTimeout: duration,
    "Routes.*.Destination.RequestTimeout": duration,
    "Routes.*.Destination.IdleTimeout": duration,
  },
  serverOwned: [
    // Identity, compared as the object's address.
    "Kind",
    "Name",
    "Namespace",
    "Partition",
    "CreateIndex",
    "ModifyIndex",
    "Hash",
    "Status",
    "Sources.*.Precedence",
    "Sources.*.LegacyID",
    "Sources.*.LegacyCreateTime",
    "Sources.*.LegacyUpdateTime",
  ],
  secret: ["PrivateKey"],
};

/** An entry's own fields as an object, or as JSON text. */
export const entrySpec: Spelling = {
  name: "entry as JSON",
  canonical(value) {
    if (typeof value !== "string") return value;
    try {
      const parsed = parseJson(value);
      return isObject(parsed) ? parsed : value;
    } catch {
      return value;
    }
  },
  encode: (value) => entrySpec.canonical(value),
};
