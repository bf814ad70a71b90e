import { z } from "zod";
import {
  type Dialect,
  elementsIn,
  field,
  formatJson,
  get,
  type HttpResponse,
  isObject,
  type Json,
  type Listing,
  loginSetting,
  ownMember,
  type ServiceWithAbsenceProof,
  type Site,
  stringIn,
  textIn,
} from "../../core";
import { cluster } from "./cluster";
import { enablingAdvice, versionAdvice } from "./enabling";
import { login } from "./login";
import { MOUNT, USUAL_MOUNTS } from "./mounts";
import { namespaceOf } from "./namespaces";
import { permissions } from "./permissions";
import { isReal } from "./usualMounts";
import { warningsIn, warnsOnly } from "./warnings";

const neutral: Dialect = {
  headers: {
    token: "X-Secrets-Token",
    namespace: "X-Secrets-Namespace",
    // The specification shows `wrap_info` in its envelope, but not how to request it. The header is named like the other
    // two.
    wrapTtl: "X-Secrets-Wrap-TTL",
  },
  defaults: USUAL_MOUNTS.neutral,
};

/** The names of Vault and OpenBao (wire facts, "Names"). */
const real: Dialect = {
  headers: { token: "X-Vault-Token", namespace: "X-Vault-Namespace", wrapTtl: "X-Vault-Wrap-TTL" },
  segments: { extidp: "okta" },
  cluster,
  login,
  variables: {
    names: {
      address: ["BAO_ADDR", "VAULT_ADDR"],
      token: ["BAO_TOKEN", "VAULT_TOKEN"],
      namespace: ["BAO_NAMESPACE", "VAULT_NAMESPACE"],
      caFile: ["BAO_CACERT", "VAULT_CACERT"],
      clientCertFile: ["BAO_CLIENT_CERT", "VAULT_CLIENT_CERT"],
      clientKeyFile: ["BAO_CLIENT_KEY", "VAULT_CLIENT_KEY"],
    },
  },
  defaults: USUAL_MOUNTS.real,
};

const mount = (setting: keyof typeof USUAL_MOUNTS.neutral, engine: string) => {
  const { neutral, real } = USUAL_MOUNTS;
  const inNeutral =
    neutral[setting] === real[setting]
      ? ""
      : ` In the \`neutral\` dialect the default is \`${neutral[setting]}\`.`;
  return field(z.string().regex(MOUNT, "must be a path without a leading or trailing slash").optional(), {
    doc: `The mount path of the ${engine} secrets engine.${inNeutral}`,
    default: real[setting],
  });
};

/** The server's error for an unknown mount. */
const NOT_MOUNTED = /no handler for route/;

/** OpenBao's error for a check-and-set parameter (`cas`) that does not match. */
const CHECK_LOST = /^check-and-set parameter (?:did not match|set to -1 on existing entry)/;

/** The secrets service, Vault or OpenBao (specification: part A). */
export const secrets: ServiceWithAbsenceProof = {
  name: "secrets",
  products: { server: "Vault", names: "Vault and OpenBao" },
  naming: "snake",
  prefix: "/v1",
  permissions,
  contentType: "application/json",
  settings: {
    namespace: field(z.string().min(1).optional(), {
      doc: "The namespace of every request; a resource's `namespace` is relative to it. Default: no namespace is sent, and the token's namespace applies.",
    }),
    login: loginSetting(
      "`path` is the login path of the auth method (`auth/approle/login`, `auth/userpass/login/NAME`, `auth/jwt/login`, `auth/kubernetes/login` or `auth/cert/login`). `parameters` are those of that auth method, such as `role_id` and `secret_id`.",
    ),
    queueMount: mount("queueMount", "RabbitMQ"),
    cloudMount: mount("cloudMount", "AWS"),
    directoryMount: mount("directoryMount", "LDAP"),
  },
  dialects: { neutral, real },
  realm: { part: "namespace", header: (settings, address) => ["namespace", namespaceOf(settings, address)] },
  headers: (settings, { headers }) => ({
    ...(typeof settings.token === "string" && { [headers.token ?? ""]: settings.token }),
    ...(typeof settings.namespace === "string" && { [headers.namespace ?? ""]: settings.namespace }),
  }),
  errorMessage: (answer) => errorsIn(answer)?.join("; ") ?? answer.text.trim(),
  warnings: warningsIn,
  warnsOnly,
  expectedResponses: { POST: "nothing", PUT: "nothing", DELETE: "nothing" },
  leaderless: { absent: /active cluster node not found/ },
  requestId: ({ json }) => (isObject(json) ? json.request_id : undefined),
  errorKind: (answer) =>
    (errorsIn(answer) ?? []).some((error) => CHECK_LOST.test(error)) ? "checkAndSetLost" : undefined,
  isOwnError: (answer) => (errorsIn(answer) ?? []).length > 0,
  advice: (answer, asked) =>
    (NOT_MOUNTED.test(answer.text) ? enablingAdvice(asked) : versionAdvice(answer, asked)) ??
    ADVICE.find(([words]) => words.test(answer.text))?.[1],
  whyMissing: (words) => (NOT_MOUNTED.test(words) ? "no secrets engine is mounted at this path" : undefined),
  unwrap: (answer) => (isObject(answer) && isObject(answer.data) ? answer.data : {}),
  absence: { evidence: "the server returns 404 without an error message", proves: isAbsent },
  dictionaries: () => (require("./dictionary") as typeof import("./dictionary")).default,
};

/** True if the server has requests for leases. Vault and OpenBao have them; the specification shows no such request. */
export function offersLeases({ dialect }: Pick<Site, "dialect">): boolean {
  return isReal(dialect);
}

/** Advice for errors whose own text does not contain it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    NOT_MOUNTED,
    "No secrets engine is mounted at this path. If it is mounted elsewhere, set `mount`, or the connection's setting for the mount. " +
      "If it was unmounted for good, its objects no longer exist: remove the resource from the state with `pulumi state delete` and its URN.",
  ],
  [
    /invalid token|bad token/,
    "The token has expired or was revoked: log in again, or set a different token.",
  ],
  [
    /currently checked out/,
    "Check the account in first (its borrower can, and so can a token with permission for the manage path), or wait until its lease ends.",
  ],
  [
    /No service accounts available/,
    "Check an account in, wait until a lease ends, or add accounts to the set.",
  ],
];

/** The members of a response, inside the envelope or, for a rekey, without one. */
export function unwrappedAnswer(answer: Json): { readonly [member: string]: Json } {
  if (!isObject(answer)) return {};
  return isObject(answer.data) ? answer.data : answer;
}

/** The `errors` of a response; undefined if it does not have this service's format. */
export function errorsIn(answer: HttpResponse): string[] | undefined {
  const errors = isObject(answer.json) ? answer.json.errors : undefined;
  return Array.isArray(errors) ? errors.map((error) => textIn(error) ?? formatJson(error)) : undefined;
}

/**
 * True for an absent object: a 404 with an empty list of errors. For an unknown mount, the errors say that no handler exists
 * for the route.
 */
export function isAbsent(answer: HttpResponse): boolean {
  return answer.status === 404 && errorsIn(answer)?.length === 0;
}

/** A key that ends with a slash represents all names with that prefix. */
const isFolder = (key: Json) => typeof key === "string" && key.endsWith("/");

/**
 * Lists the objects of a collection by a part of their address: the keys and, if the server returns it, the content of each
 * object.
 */
export function objectsAt(path: string, part: string) {
  return {
    ...keysAt(path),
    refreshData: {
      key: (address) => address[part],
      responses: ({ json }) => {
        const { key_info: info } = secrets.unwrap(json ?? null);
        return Object.entries(isObject(info) ? info : {}).map(([key, data]) => [key, { data }] as const);
      },
    },
  } as const satisfies Listing;
}

/** Lists the keys of a collection. For an empty collection the server returns a 404 without errors. */
export function keysAt(path: string) {
  return {
    route: get(path, { query: { list: "true" } }),
    itemContent: "keys",
    pages: { by: "whole" },
    filters: {},
    isEmptyList: isAbsent,
    items: ({ json }) => {
      const { keys } = secrets.unwrap(json ?? null);
      return isObject(keys) ? Object.keys(keys) : elementsIn(keys);
    },
    isFolder,
    notes: ({ json }) => {
      const { keys } = secrets.unwrap(json ?? null);
      const folders = Array.isArray(keys) ? keys.filter(isFolder) : [];
      return folders.length === 0
        ? []
        : [`${folders.join(", ")}: the server lists only the prefix of names that contain a slash`];
    },
    // Some servers return the names of objects that are listed by ID.
    displayName: (key, { json }) => {
      const { key_info: info } = secrets.unwrap(json ?? null);
      const told = isObject(info) ? ownMember(info, stringIn(key)) : undefined;
      return isObject(told) && typeof told.name === "string" ? told.name : undefined;
    },
  } as const satisfies Listing;
}
