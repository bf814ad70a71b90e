import type { Requirements, Siblings, Values } from "./bodies";

const LDIF = "dn: cn={{.Username}},dc=example\nobjectClass: person\ncn: {{.Username}}\n";

export const PERMISSIONS = { "/": { configure: ".*", write: ".*", read: ".*" } };
export const TOPICS = { "/": { "amq.topic": { write: ".*", read: ".*" } } };
const DOCUMENT = '{"Version":"2012-10-17"}';

/** What Vault requires of an object that contains a field. */
const siblings: Siblings = [
  [/:(QueueRole|Policy|PasswordPolicy|LoginEnforcement|CloudRole|CloudStaticRole) >/, { name: "app" }],
  [/:(DirectoryStaticRole|DirectoryRole|LibrarySet|Entity|Group) >/, { name: "app" }],
  [/:(Mount|AuthMethod|KvSecret|Namespace) >/, { path: "app" }],
  [/:QueueRole >/, { tags: "monitoring" }],
  [/:QueueConnection >/, { connection_uri: "http://broker", username: "admin", password: "secret" }],
  [/:Mount >/, { type: "kv" }],
  [/:DirectoryConfig >client_tls/, { client_tls_cert: "a", client_tls_key: "b" }],
  [/:DirectoryConfig >tls_min/, { tls_max_version: "tls13" }],
  [/:(CloudRoot|DirectoryConfig) >rotation_window/, { rotation_schedule: "0 1 * * *" }],
  [/:CloudRoot >(access|secret)_key/, { access_key: "a", secret_key: "b" }],
  [/:CloudRoot >identity_token_audience/, { role_arn: "arn:aws:iam::1:role/x" }],
  [/:CloudRoot >sts_fallback/, { sts_fallback_endpoints: ["a"], sts_fallback_regions: ["b"] }],
  [/:AuthMethod >/, { type: "approle" }],
  [/:Policy >/, { policy: 'path "a" {}' }],
  [/:PasswordPolicy >/, { policy: 'length = 9\nrule "charset" { charset = "a" }' }],
  [/:MfaMethod >/, { method_name: "app", org_name: "acme", api_token: "secret" }],
  [/:LoginEnforcement >/, { mfa_method_ids: ["the method"], auth_method_types: ["userpass"] }],
  [/:CloudLease >/, { lease: "1m", lease_max: "1h" }],
  [/:CloudRole >(?!arn|policy$)/, { credential_type: "iam_user", policy_document: DOCUMENT }],
  [
    /:CloudRole >(external_id|session_tags|role_arns|max_sts|default_sts)/,
    { credential_type: "assumed_role" },
  ],
  [/:CloudRole >(external_id|session_tags|max_sts|default_sts)/, { role_arns: ["arn:aws:iam::1:role/x"] }],
  [/:CloudStaticRole >/, { username: "app", rotation_period: "1h" }],
  [/:DirectoryConfig >/, { binddn: "cn=admin", bindpass: "secret" }],
  [/:DirectoryStaticRole >/, { username: "svc-1", rotation_period: "1h" }],
  [/:DirectoryRole >/, { creation_ldif: LDIF, deletion_ldif: LDIF }],
  [/:LibrarySet >/, { service_account_names: ["svc-1"] }],
  [/:LibrarySet >max_ttl/, { ttl: 42 }],
  [/:KvSecret >/, { data: { level: "info" } }],
  [/:UserpassUser >/, { username: "app", password: "secret" }],
  [/:AppRole >/, { role_name: "app" }],
  [/:AppRole >bind_secret_id/, { secret_id_bound_cidrs: ["10.0.0.0/8"] }],
  [/:EntityAlias >/, { name: "app", canonical_id: "the entity", mount_accessor: "the accessor" }],
  [/:GroupAlias >/, { name: "app", canonical_id: "the group", mount_accessor: "the accessor" }],
];

const values: Values = [
  [/:Mount type$/, "transit"],
  [/:AuthMethod type$/, "userpass"],
  [/ options$/, "2"],
  [/:Policy policy$/, 'path "own" {}'],
  [/:PasswordPolicy policy$/, 'length = 8\nrule "charset" { charset = "b" }'],
  [/:Policy cas$/, -1],
  [/:Policy cas_required$/, true],
  [/:LoginEnforcement mfa_method_ids$/, "the other method"],
  [/ auth_method_types$/, "approle"],
  [/ rotation_schedule$/, "0 2 * * SAT"],
  [/ credential_type$/, "phrase"],
  [/:CloudRole credential_type$/, "federation_token"],
  [/ role_arns?$/, "arn:aws:iam::1:role/own"],
  [/_ldif$/, LDIF.replace("example", "own")],
  [/ (token_bound_cidrs|secret_id_bound_cidrs)$/, "10.0.0.0/8"],
  [/:AppRole token_type$/, "service"],
  [/:UserpassUser token_type$/, "service"],
  [/:Entity(Alias)? canonical_id$/, "the other entity"],
  [/:GroupAlias canonical_id$/, "the other group"],
  [/ mount_accessor$/, "the other accessor"],
  [/ member_entity_ids$/, "the entity"],
  [/ member_group_ids$/, "the member"],
  [/ tls_(min|max)_version$/, "tls13"],
  [/:(DirectoryStaticRole) username$/, "svc-2"],
  [/(anonymous_group_search|case_sensitive_names|discoverdn|use_\w+|username_as_alias|enable_\w+)$/, true],
  [/ deny_null_bind$/, false],
  [/ max_page_size$/, 42],
  [/ production$/, true],
  [/ token_strictly_bind_ip$/, true],
  [/:KvSecret options$/, { cas: 0 }],
  [/:AuthMethod options$/, { version: "2" }],
  [/:Mount token_type$/, "service"],
  [/ user_path$/, "/own/"],
  [/:Policy expiration$/, "2031-01-01T00:00:00Z"],
  [/:(UserpassUser|Policy) (ttl|max_ttl)$/, 60],
  [/:AppRole period$/, 60],
  [/ (bound_cidrs|bound_cidr_list)$/, ["10.0.0.0/8"]],
  [/:(UserpassUser|AppRole) policies$/, ["own"]],
];

const leaves: Requirements["leaves"] = {
  "secrets:QueueRole": [
    { path: "tags", body: { tags: "policymaker" } },
    { path: "vhosts", body: { vhosts: JSON.stringify(PERMISSIONS) } },
    { path: "vhost_topics", body: { vhost_topics: JSON.stringify(TOPICS) } },
  ],
  "secrets:CloudRole": [
    { path: "policy_document", body: { policy_document: '{"Statement":[]}' } },
    { path: "policy", body: { policy: '{"Statement":[]}' } },
    { path: "iam_tags", body: { iam_tags: { team: "web" } } },
    { path: "session_tags", body: { session_tags: { team: "web" } } },
  ],
  "secrets:DirectoryConfig": [{ path: "url", body: { url: "ldaps://own" } }],
  "secrets:CloudLease": [
    { path: "lease", body: { lease: "7m0s" } },
    { path: "lease_max", body: { lease_max: "7h0m0s" } },
  ],
};

export const requirements: Requirements = { siblings, values, leaves };
