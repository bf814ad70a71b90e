import { isObject, type Json } from "../../provider/core/value/json";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { send } from "../../testing/tests/stub/in-process";
import { differences, type Members, withIds } from "./bodies";
import type { Product, Writer } from "./cases";
import { PERMISSIONS, requirements, TOPICS } from "./secretsBodies";

/** The path of each object. A segment with a colon is a member of the request. */
const AT: Readonly<Record<string, string>> = {
  "secrets:QueueRole": "rabbitmq/roles/:name",
  "secrets:QueueLease": "rabbitmq/config/lease",
  "secrets:QueueConnection": "rabbitmq/config/connection",
  "secrets:Mount": "sys/mounts/:path",
  "secrets:AuthMethod": "sys/auth/:path",
  "secrets:Policy": "sys/policies/acl/:name",
  "secrets:PasswordPolicy": "sys/policies/password/:name",
  "secrets:MfaMethod": "identity/mfa/method/okta",
  "secrets:LoginEnforcement": "identity/mfa/login-enforcement/:name",
  "secrets:CloudRoot": "aws/config/root",
  "secrets:CloudLease": "aws/config/lease",
  "secrets:CloudRole": "aws/roles/:name",
  "secrets:CloudStaticRole": "aws/static-roles/:name",
  "secrets:DirectoryConfig": "ldap/config",
  "secrets:DirectoryStaticRole": "ldap/static-role/:name",
  "secrets:DirectoryRole": "ldap/role/:name",
  "secrets:LibrarySet": "ldap/library/:name",
  "secrets:KvSecret": "kv/data/:path",
  "secrets:UserpassUser": "auth/userpass/users/:username",
  "secrets:AppRole": "auth/approle/role/:role_name",
  "secrets:Entity": "identity/entity",
  "secrets:EntityAlias": "identity/entity-alias",
  "secrets:Group": "identity/group",
  "secrets:GroupAlias": "identity/group-alias",
  "secrets:Namespace": "sys/namespaces/:path",
};

const METHOD = { method_name: "the", org_name: "acme", api_token: "x" };

async function open(token: string): Promise<Writer> {
  const service = new SecretsService({ seed: { tokens: { root: {} } }, switches: { dialect: "real" } });
  const request = (method: string, path: string, body?: Json) =>
    send(service, method, `/v1/${path}`, { headers: { "x-vault-token": "root" }, body });
  const create = async (path: string, body: Members) => (await request("POST", path, body)).body.data;
  await request("POST", "ldap/config", { binddn: "cn=admin", bindpass: "secret" });
  for (const type of ["jwt", "oidc"]) await request("POST", `sys/auth/${type}`, { type });
  const method = await create("identity/mfa/method/okta", METHOD);
  const ids = new Map<string, string>([
    ["the method", method.method_id],
    ["the entity", (await create("identity/entity", { name: "the-entity" })).id],
    ["the group", (await create("identity/group", { name: "the-group", type: "external" })).id],
    [
      "the other method",
      (await create("identity/mfa/method/okta", { ...METHOD, method_name: "other" })).method_id,
    ],
    ["the other entity", (await create("identity/entity", { name: "other" })).id],
    ["the other group", (await create("identity/group", { name: "other", type: "external" })).id],
    ["the member", (await create("identity/group", { name: "member" })).id],
    ["the accessor", (await request("GET", "sys/auth")).body.data["jwt/"].accessor],
    ["the other accessor", (await request("GET", "sys/auth")).body.data["oidc/"].accessor],
  ]);
  return async (body) => {
    const [path, inPath] = pathOf(token, body);
    const sent = withIds(body, ids, "to IDs");
    const written = await request("POST", path, requestOf(token, sent));
    if (written.status >= 300) return { rejection: `${written.status} ${written.text}` };
    const dump = JSON.stringify(service.dump());
    if (token === "secrets:QueueConnection") return { read: inPath, dump };
    const { id, method_id = id } = Object(Object(written.body).data);
    const answer = await request("GET", READ[token]?.(path, method_id) ?? path);
    if (answer.status !== 200) return { rejection: `a read returns ${answer.status} ${answer.text}` };
    const read = readOf(token, withIds(answer.body.data, ids, "from IDs"), inPath);
    if (!isMount(token)) return { read, dump };
    // A second mount gets the same settings by a tune.
    await request(
      "POST",
      `${path}-tuned`,
      part(sent, (name) => FIXED.includes(name)),
    );
    const tuned = await request(
      "POST",
      `${path}-tuned/tune`,
      part(sent, (name) => !FIXED.includes(name)),
    );
    if (tuned.status >= 300) return { rejection: `tune: ${tuned.status} ${tuned.text}` };
    const other = readOf(token, (await request("GET", `${path}-tuned`)).body.data, inPath);
    const apart = differences(read, other);
    return apart.length === 0 ? { read, dump } : { rejection: `a tune does not set ${apart.join(", ")}` };
  };
}

/** The path of a write, and the members in it. */
function pathOf(token: string, body: Members): readonly [string, Members] {
  const inPath: Record<string, Json> = {};
  const path = (AT[token] ?? "").replace(/:(\w+)/, (_, name: string) => {
    inPath[name] = body[name] ?? "";
    return String(body[name]);
  });
  return [path, inPath];
}

/** The settings of a mount that are not in its `config`, and those of them that a tune cannot change. */
const OF_MOUNTS = ["type", "description", "local", "seal_wrap", "options"];
const FIXED = ["type", "local", "seal_wrap", "options"];

/** A mount has most settings in `config`. The others are at both places, because the server must ignore them at both. */
function requestOf(token: string, body: Members): Json {
  return isMount(token) ? { ...body, config: part(body, (name) => !OF_MOUNTS.includes(name)) } : body;
}

function part(body: Members, isIn: (name: string) => boolean): Members {
  return Object.fromEntries(Object.entries(body).filter(([name]) => isIn(name)));
}

const isMount = (token: string) => token === "secrets:Mount" || token === "secrets:AuthMethod";

const READ: Readonly<Record<string, (path: string, id: string) => string>> = {
  "secrets:MfaMethod": (path, id) => `${path}/${id}`,
  "secrets:Entity": (path, id) => `${path}/id/${id}`,
  "secrets:EntityAlias": (path, id) => `${path}/id/${id}`,
  "secrets:Group": (path, id) => `${path}/id/${id}`,
  "secrets:GroupAlias": (path, id) => `${path}/id/${id}`,
};

function readOf(token: string, data: Json, inPath: Members): Json {
  if (!isObject(data)) return data;
  const { accessor: _, uuid: __, config, ...own } = data;
  return { ...(isMount(token) ? { ...own, ...Object(config) } : data), ...inPath };
}

/** The mock server of Vault and OpenBao. */
export const secrets: Product = {
  service: "secrets",
  ...requirements,
  returned: [
    [/:QueueRole vhosts$/, { value: PERMISSIONS }],
    [/:QueueRole vhost_topics$/, { value: TOPICS }],
    [/:MfaMethod method_name$/, { at: "name" }],
    [/:CloudRole policy$/, { at: "policy_document" }],
    [/:CloudRole arn$/, { at: "policy_arns", value: ["own"] }],
  ],
  hasElsewhere: false,
  unread: [
    /(password|secret_key|bindpass|client_tls_cert|client_tls_key|api_token|connection_uri)$/,
    /:QueueConnection (?!verify)/,
    / primary_email$/,
    / skip_import_rotation$/,
  ],
  // Decides only about this request.
  dropped: [/ verify_connection$/],
  treatments: [
    [/:AuthMethod options$/, "stored"],
    // A tune of a secrets engine rejects it.
    [/:Mount token_type$/, "rejected"],
    [/:Policy expiration$/, "stored"],
    [/:Policy ttl$/, "changes expiration"],
    // Requires `cas` in the same request.
    [/:Policy cas_required$/, "rejected"],
    // The ID of no method: the server answers 204, and nothing happens.
    [/:MfaMethod method_id$/, "rejected"],
    [/:MfaMethod production$/, "changes base_url, production"],
    // The fields of LDAP logins are a part of the engine's configuration.
    [/:DirectoryConfig (?!ttl|max_ttl|enable_\w+)/, "stored"],
    [/:UserpassUser (policies|ttl|max_ttl|bound_cidrs)$/, "changes token_$1, $1"],
    [/:AppRole (policies|period)$/, "changes token_$1, $1"],
    [/:AppRole bound_cidr_list$/, "changes secret_id_bound_cidrs"],
    [/ token_strictly_bind_ip$/, "stored"],
  ],
  open,
  // Vault ignores unknown parameters. A response with a body has a warning: see the tests of the mock server.
  unknown: () => "ignored",
  unknownValue: "unknown",
  // An engine may have any option.
  further: [/:Mount options\./],
};
