import type { StubResponse } from "../../../service";
import { absent, serverError } from "../errors";
import type { Fields } from "../fields";
import { AUTOMATED_ROTATION, checkRotation, type FurtherFields } from "../further-field";
import { answer, type Endpoint, NO_CONTENT } from "../operation";
import type { Switches } from "../settings";
import { type DirectoryOperation, newPassword, theConfig } from "./operation";
import type { DirectoryConfig } from "./records";

/** The engine's configuration, and the rotation of its bind password. */
export const configEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  {
    path: "config",
    read,
    write,
    remove,
    further: vaultFields,
    checkFurther: ({ fields, switches }, after) => {
      if (isVault(switches)) checkRotation(fields, after, switches.edition);
    },
  },
  { path: "rotate-root", write: rotateRoot },
];

/**
 * A write merges, lower-cases `url`, and resets `length` when omitted. Before Vault 1.15 it resets `schema` and
 * `password_policy` too. Invalid values are a 500.
 */
function write({ fields, data, switches }: DirectoryOperation): StubResponse {
  const kept = data.config.get("config") ?? INITIALLY;
  const { schema = "", password_policy = "" } = INITIALLY;
  const before = switches.updates === "merge" ? kept : { ...kept, schema, password_policy };
  refuseLengthWithPolicy(fields, switches.dialect === "real" ? String(before.password_policy) : "");
  const given = Object.entries(INITIALLY).map(([name, initially]) => {
    return [name, readField(fields, name, initially) ?? before[name] ?? initially] as const;
  });
  const config: Record<string, string | number | boolean> = Object.fromEntries(given);
  config.length = fields.integer("length") ?? (switches.dialect === "real" ? UNSET : DEFAULT_LENGTH);
  config.url = String(config.url).toLowerCase();
  if ((config.client_tls_cert === "") !== (config.client_tls_key === "")) {
    throw serverError("both client_tls_cert and client_tls_key must be set");
  }
  for (const required of ["binddn", "bindpass"]) {
    if (config[required] === "") throw serverError(`${required} is required`);
  }
  for (const version of ["tls_min_version", "tls_max_version"]) {
    if (!TLS_VERSIONS.includes(String(config[version]))) throw serverError(`invalid '${version}'`);
  }
  if (String(config.tls_max_version) < String(config.tls_min_version))
    throw serverError("'tls_max_version' must be greater than or equal to 'tls_min_version'");
  const userattr = USER_ATTRIBUTES[String(config.schema)];
  if (userattr === undefined) {
    throw serverError(
      `the configured schema ${config.schema} is not valid. Supported schemas: openldap, ad, racf`,
    );
  }
  if (config.userattr === "") config.userattr = userattr;
  const credentialType = fields.string("credential_type");
  if (isVault(switches) && credentialType !== undefined && !CREDENTIAL_TYPES.includes(credentialType))
    throw serverError(`invalid credential_type "${credentialType}"`);
  const { [ROTATED_AT]: rotatedAt } = before;
  if (rotatedAt !== undefined) config[ROTATED_AT] = rotatedAt;
  const isGroupBehaviorSet =
    fields.has(GROUP_BEHAVIOR) || data.config.get("config")?.[GROUP_BEHAVIOR] !== undefined;
  if (switches.dialect === "real" && !isGroupBehaviorSet) delete config[GROUP_BEHAVIOR];
  data.config.set("config", config);
  return NO_CONTENT;
}

/** Only a read after a write of it returns it (source: OpenBao 2.5.5, `sdk/helper/ldaputil/config.go`). */
const GROUP_BEHAVIOR = "use_pre111_group_cn_behavior";

/** Vault also compares with the stored policy, and with any length; the specification covers a single request only. */
function refuseLengthWithPolicy(fields: Fields, inForce: string): void {
  const policy = fields.string("password_policy") ?? inForce;
  const length = fields.integer("length");
  const isSent = length !== undefined && (length !== 0 || policy === inForce);
  if (policy !== "" && isSent) throw serverError("cannot set both 'password_policy' and 'length'");
}

/** Omits `bindpass` and the client's certificate and key. Vault also omits a length and a policy that were never set. */
function read(operation: DirectoryOperation): StubResponse {
  const config = operation.data.config.get("config");
  if (config === undefined) throw absent();
  const { bindpass: _password, client_tls_cert: _certificate, client_tls_key: _key, ...shown } = config;
  if (operation.switches.dialect === "real") return answer(operation, asProduct(shown));
  const { [ROTATED_AT]: _, ...listed } = shown;
  return answer(operation, listed);
}

function asProduct({ length, password_policy, ...shown }: DirectoryConfig) {
  return {
    ...shown,
    groupfilter: shown.groupfilter === "" ? GROUP_FILTER : shown.groupfilter,
    ...(length !== UNSET && { length }),
    ...(password_policy !== "" && { password_policy }),
  };
}

function remove({ data }: DirectoryOperation): StubResponse {
  data.config.delete("config");
  return NO_CONTENT;
}

/** "The new password is known only to the service." */
function rotateRoot(operation: DirectoryOperation): StubResponse {
  const rotatedAt = new Date(operation.request.now).toISOString();
  const bindpass = newPassword(operation);
  operation.data.config.set("config", { ...theConfig(operation), bindpass, [ROTATED_AT]: rotatedAt });
  return NO_CONTENT;
}

/** Fields of Vault's engine that OpenBao's lacks. */
function vaultFields(switches: Switches): FurtherFields {
  if (!isVault(switches)) return {};
  return { credential_type: { kind: "reset when omitted", initially: "password" }, ...AUTOMATED_ROTATION };
}

function isVault({ dialect, directoryProduct }: Switches): boolean {
  return dialect === "real" && directoryProduct === "vault";
}

const TLS_VERSIONS = ["tls10", "tls11", "tls12", "tls13"];

const CREDENTIAL_TYPES = ["password", "phrase"];

/** The time of the last rotation of the bind password: Vault returns it, and rejects any other value. */
const ROTATED_AT = "last_bind_password_rotation";

/** Reads a field with the type of its initial value; timeouts are durations. */
function readField(fields: Fields, name: string, initially: DirectoryConfig[string]) {
  if (name.endsWith("_timeout")) return fields.duration(name);
  if (typeof initially === "boolean") return fields.boolean(name);
  return typeof initially === "number" ? fields.integer(name) : fields.string(name);
}

const DEFAULT_LENGTH = 64;
/** The length in Vault if none was set: passwords then have the default length. */
const UNSET = 0;
const GROUP_FILTER = "(|(memberUid={{.Username}})(member={{.UserDN}})(uniqueMember={{.UserDN}}))";

/** `userattr` by schema. */
const USER_ATTRIBUTES: Readonly<Record<string, string>> = {
  openldap: "cn",
  ad: "userPrincipalName",
  racf: "racfid",
};

/** Every field with its value after a first write that omits it. */
const INITIALLY: DirectoryConfig = {
  binddn: "",
  bindpass: "",
  url: "ldap://127.0.0.1",
  password_policy: "",
  schema: "openldap",
  userdn: "",
  userattr: "",
  upndomain: "",
  connection_timeout: 30,
  request_timeout: 90,
  starttls: false,
  insecure_tls: false,
  certificate: "",
  client_tls_cert: "",
  client_tls_key: "",
  length: DEFAULT_LENGTH,
  tls_min_version: "tls12",
  tls_max_version: "tls12",
  case_sensitive_names: false,
  anonymous_group_search: false,
  deny_null_bind: true,
  dereference_aliases: "never",
  discoverdn: false,
  groupattr: "cn",
  groupdn: "",
  groupfilter: "",
  max_page_size: 0,
  use_pre111_group_cn_behavior: false,
  use_token_groups: false,
  userfilter: "({{.UserAttr}}={{.Username}})",
  username_as_alias: false,
  skip_static_role_import_rotation: false,
};
