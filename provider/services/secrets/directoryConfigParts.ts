import {
  caseFolded,
  commaList,
  enumeration,
  field,
  type Json,
  type Spelling,
  type Value,
  type Values,
} from "../../core";

/** URLs as the server stores them: in order, in lower case. */
export const urlList: Spelling = {
  doc: "Also accepts a comma-separated string. Compared without regard to case.",
  canonical: (value) => caseFolded.canonical(commaList.canonical(value)),
  encode: (value) => commaList.encode?.(value) ?? value,
};

/** A property that only Vault has. Vault resets it if a write omits it. */
export const credentialType = field(
  enumeration({
    password: "A password.",
    phrase: "A password phrase, for the `racf` schema.",
  }).optional(),
  {
    doc: "The type of credential that the secrets engine manages. Vault only: OpenBao ignores it.",
    resetsWhenOmitted: true,
    default: "password",
  },
);

const TLS_VERSIONS = { tls10: "TLS 1.0.", tls11: "TLS 1.1.", tls12: "TLS 1.2.", tls13: "TLS 1.3." };

/** A TLS version of the connections to the LDAP server. */
export const tlsVersion = (doc: string) =>
  field(enumeration(TLS_VERSIONS).optional(), { doc, default: "tls12" });

/** True if one TLS version is below another one, and both are known. */
export function isBelow(version: Json | undefined, least: Json | undefined): boolean {
  const versions = Object.keys(TLS_VERSIONS);
  const at = versions.indexOf(String(version));
  return at >= 0 && at < versions.indexOf(String(least));
}

/**
 * The time of the engine's last `bindpass` rotation, and the settings of LDAP logins, which the server keeps if a
 * write omits them.
 */
export const NEVER_SENT_BACK = [
  "last_bind_password_rotation",
  "anonymous_group_search",
  "deny_null_bind",
  "dereference_aliases",
  "discoverdn",
  "groupattr",
  "groupdn",
  "groupfilter",
  "max_page_size",
  "use_pre111_group_cn_behavior",
  "use_token_groups",
  "userfilter",
  "username_as_alias",
];

/** The attribute that the service fills in if `userattr` is empty, by schema. */
const USER_ATTRIBUTES: Readonly<Record<string, Value>> = {
  openldap: "cn",
  ad: "userPrincipalName",
  racf: "racfid",
};

/** A program without a `userattr` that the service fills in. */
export function withoutFilledUserattr({ userattr, ...inputs }: Values): Values {
  const { schema = "openldap" } = inputs;
  const isFilled = userattr === USER_ATTRIBUTES[String(schema)];
  return userattr === undefined || isFilled ? inputs : { ...inputs, userattr };
}
