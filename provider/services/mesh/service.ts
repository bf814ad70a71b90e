import { z } from "zod";
import {
  type Dialect,
  FORWARDING,
  field,
  type HttpResponse,
  isObject,
  isPlainTextError,
  type Json,
  loginSetting,
  OWN,
  type ServiceWithAbsenceProof,
  warningsInHeaders,
} from "../../core";
import { issuedToken } from "../issuedToken";
import { permissions } from "./permissions";

/**
 * Consul writes entries in the primary datacenter, regardless of the agent that receives them (docs/wire.md,
 * "Consul").
 */
const copies = { place: "datacenter", parameter: "dc", setting: "primaryDatacenter" } as const;

const neutral: Dialect = {
  responseHeaders: /^x-mesh-/,
  headers: {
    token: "X-Mesh-Token",
    namespace: "X-Mesh-Namespace",
    index: "X-Mesh-Index",
    lastContact: "X-Mesh-LastContact",
    knownLeader: "X-Mesh-KnownLeader",
    filtered: "X-Mesh-Results-Filtered-By-ACLs",
  },
  replication: { ...copies, asked: [] },
};

/** Consul's own names (wire facts, "Names"). */
export const real: Dialect = {
  responseHeaders: /^x-consul-/,
  headers: {
    token: "X-Consul-Token",
    namespace: "X-Consul-Namespace",
    index: "X-Consul-Index",
    lastContact: "X-Consul-LastContact",
    knownLeader: "X-Consul-KnownLeader",
    filtered: "X-Consul-Results-Filtered-By-ACLs",
  },
  replication: {
    ...copies,
    asked: [
      { path: "/agent/self", tells: ({ json }) => textIn(memberIn(json, "Config"), "PrimaryDatacenter") },
      // An endpoint that needs no permission. An agent outside the primary datacenter reports it as its source.
      { path: "/acl/replication", tells: ({ json }) => sourceIn(json) },
    ],
  },
  login: { path: "/acl/login", tells: issuedToken, revocation: { method: "POST", path: "/acl/logout" } },
  variables: {
    names: {
      address: ["CONSUL_HTTP_ADDR"],
      token: ["CONSUL_HTTP_TOKEN"],
      namespace: ["CONSUL_NAMESPACE"],
      partition: ["CONSUL_PARTITION"],
      caFile: ["CONSUL_CACERT"],
      clientCertFile: ["CONSUL_CLIENT_CERT"],
      clientKeyFile: ["CONSUL_CLIENT_KEY"],
    },
    // Consul's own programs accept an address without a scheme: `127.0.0.1:8500`.
    address: (text, { CONSUL_HTTP_SSL: isSecure }) =>
      text.includes("://") ? text : `${/^(1|t|true)$/i.test(isSecure ?? "") ? "https" : "http"}://${text}`,
  },
};

/** An admin partition's name. No request covers several partitions, so `*` is invalid. */
export const partition = z
  .string()
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/,
    "must be a single partition name (letters, digits and hyphens)",
  );

/** The scope of an object in Consul Enterprise: a part of its address. */
export const scopeFields = (noun: string) => ({
  namespace: field(z.string().min(1).optional(), {
    doc: `Namespace of the ${noun} (Consul Enterprise).`,
    toWrite: "Default: the connection's namespace, then the token's, then `default`.",
    role: "identity",
    location: "address",
  }),
  partition: field(partition.optional(), {
    doc: `Admin partition of the ${noun} (Consul Enterprise).`,
    toWrite:
      "Default: the connection's partition, then the token's, then the agent's (`default` unless configured).",
    role: "identity",
    location: "address",
  }),
});

/** Consul's configuration entries (specification: part B). */
export const mesh: ServiceWithAbsenceProof = {
  name: "mesh",
  products: { server: "Consul", names: "Consul" },
  naming: "pascal",
  prefix: "/v1",
  permissions,
  contentType: "application/json",
  settings: {
    login: loginSetting("its `parameters` are `AuthMethod` and `BearerToken`."),
    datacenter: field(z.string().min(1).optional(), {
      doc: "Default datacenter of resources and functions; after a write, Quarterdeck waits until this datacenter shows the entry. If not set, it does not wait, and functions query the agent's datacenter.",
    }),
    primaryDatacenter: field(z.string().min(1).optional(), {
      doc: "Primary datacenter: entries are written there, and other datacenters copy them. If not set, Quarterdeck asks the agent (dialect `real`).",
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "Default namespace of resources and functions (Consul Enterprise). If not set, the token's namespace applies.",
    }),
    partition: field(partition.optional(), {
      doc: "Default admin partition of resources and functions (Consul Enterprise). If not set, the token's partition applies, or the agent's partition if the token has none.",
    }),
  },
  dialects: { neutral, real },
  headers: (settings, dialect) =>
    typeof settings.token === "string" ? { [dialect.headers.token ?? ""]: settings.token } : {},
  errorMessage: (answer) => transactionErrors(answer)?.join("; ") ?? answer.text.trim(),
  /** Consul writes warnings about an entry to the server's log only. A proxy in front of it may send HTTP warnings. */
  warnings: warningsInHeaders,
  advice: ({ status, text }) => {
    if (status === 500 && /does not permit advanced routing or splitting/i.test(text))
      return "First create the service-defaults of that service with a protocol such as http, and add them to dependsOn of this resource.";
    const words = text.slice(0, LONGEST_REFUSAL);
    const [, exported] = EXPORTED_NAME.exec(words) ?? [];
    if (exported !== undefined)
      return `Correct name: an exported-services entry has the name of its partition, here ${exported}.`;
    if (!isEnterpriseOnly({ text }))
      return UNKNOWN_MEMBER.test(words)
        ? "This Consul server does not have this member: correct its name, or use a newer version of Consul."
        : undefined;
    const field = ["partition", "namespace"].find((name) => words.toLowerCase().includes(name));
    return `This server is Consul Community Edition, which does not support ${field ?? "this feature"}: remove it from the program and the configuration.`;
  },
  // `true` alone proves nothing: Consul also returns it for someone else's identical entry. So the entry is read back.
  expectedResponses: { PUT: "true", DELETE: "true" },
  /** An error body is plain text: only the message. */
  isOwnError: isPlainTextError,
  leaderless: FORWARDING,
  errorKind: (answer) => {
    if (isFalse(answer)) return "checkAndSetLost";
    const errors = transactionErrors(answer) ?? [];
    if (errors.some((error) => error.startsWith("Permission denied"))) return "forbidden";
    return errors.some((error) => error.endsWith("index is stale")) ? "checkAndSetLost" : undefined;
  },
  unwrap: (answer) => (isObject(answer) ? answer : {}),
  absence: {
    evidence:
      "Consul returns 404 with the error that the configuration entry is not found, and does not report that ACLs filtered the response",
    proves: (answer, dialect) => isAbsentEntry(answer) && !isFiltered(dialect, answer),
  },
  dictionaries: () => (require("./dictionary") as typeof import("./dictionary")).default,
};

function sourceIn(json: Json | undefined): string | undefined {
  if (memberIn(json, "Enabled") === false) return OWN;
  return textIn(json, "SourceDatacenter");
}

function memberIn(json: Json | undefined, name: string): Json | undefined {
  return isObject(json) ? json[name] : undefined;
}

function textIn(json: Json | undefined, name: string): string | undefined {
  const text = memberIn(json, name);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/**
 * The errors of Community Edition for features that it does not have. For a partition in a body, it reports only an invalid
 * key.
 */
const ENTERPRISE = /consul enterprise|enterprise-only|invalid config key "[^"]*\bPartition"/i;
const LONGEST_REFUSAL = 2_000;

/** True if the response reports that only the Enterprise edition has the requested feature. */
export function isEnterpriseOnly({ text }: Pick<HttpResponse, "text">): boolean {
  return ENTERPRISE.test(text.slice(0, LONGEST_REFUSAL));
}

const UNKNOWN_MEMBER = /invalid config key "/;

const EXPORTED_NAME = /exported-services Name must be "([^"]{1,128})"/;

/** The address parameters of every request about entries. */
export const inPlace = { dc: "{datacenter}", ns: "{namespace}", partition: "{partition}" } as const;

/** True if the response reports that the token's permissions hide part of it. Missing entries then prove nothing. */
export function isFiltered({ headers: names }: Dialect, { headers }: HttpResponse): boolean {
  return headers[(names.filtered ?? "").toLowerCase()] === "true";
}

/** True if the response is Consul's error for an absent entry. */
function isAbsentEntry(answer: HttpResponse): boolean {
  return answer.status === 404 && /config entry not found/i.test(answer.text);
}

/** True if the check-and-set failed: a 200 with the body `false`. */
function isFalse(answer: HttpResponse): boolean {
  return answer.status === 200 && answer.text.trim() === "false";
}

/** The errors of a transaction, which Consul reports in the body of a 409; undefined for any other response. */
function transactionErrors({ status, json }: HttpResponse): readonly string[] | undefined {
  if (status !== 409) return undefined;
  const errors = memberIn(json, "Errors");
  return Array.isArray(errors) ? errors.map((error) => textIn(error, "What") ?? "") : undefined;
}

/** The kind with only one entry. In Consul, that entry does not have its own name. */
const NAMELESS = "mesh";

/** An entry as a dialect writes it. Consul rejects a name in the body of a kind without names. */
export function withOwnName(
  body: { readonly [member: string]: Json },
  dialect: Dialect,
): { readonly [member: string]: Json } {
  if (dialect !== real || body.Kind !== NAMELESS) return body;
  const { Name: _, ...nameless } = body;
  return nameless;
}
