import { type Contracts, DEPRECATED, SERVER } from "./contract";

const NOT_MANAGED = "not managed";
const OF_CREDENTIALS = "only login through an LDAP auth method uses it";
const OPENBAO = "OpenBao only; not managed";
const ENTERPRISE = "Vault Enterprise only; not managed";

/** `path` and the fields of the object `config`, which the server also accepts in later requests to tune the mount. */
const MOUNT = `
  type path description local seal_wrap options{version} default_lease_ttl max_lease_ttl listing_visibility
  audit_non_hmac_request_keys audit_non_hmac_response_keys passthrough_request_headers allowed_response_headers
  external_entropy_access force_no_cache plugin_name plugin_version allowed_managed_keys user_lockout_config
  delegated_auth_accessors identity_token_key trim_request_trailing_slashes token_type`;

const NOT_OF_MOUNTS = {
  external_entropy_access: ENTERPRISE,
  force_no_cache: NOT_MANAGED,
  plugin_name: DEPRECATED,
  plugin_version: NOT_MANAGED,
  allowed_managed_keys: ENTERPRISE,
  user_lockout_config: NOT_MANAGED,
  delegated_auth_accessors: ENTERPRISE,
  identity_token_key: ENTERPRISE,
  trim_request_trailing_slashes: NOT_MANAGED,
};

const TOKEN = `
  token_bound_cidrs token_explicit_max_ttl token_max_ttl token_no_default_policy token_period token_policies token_type
  token_ttl token_num_uses token_strictly_bind_ip`;

/** Vault and OpenBao: the field schemas of the engines' paths. */
export const vault: Contracts = {
  product: "Vault 1.21.4 and OpenBao 2.5.5",
  resources: {
    "secrets:QueueRole": { source: "`<mount>/roles/:name`", fields: "name tags vhosts vhost_topics" },
    "secrets:QueueLease": { source: "`<mount>/config/lease`", fields: "ttl max_ttl" },
    "secrets:QueueConnection": {
      source: "`<mount>/config/connection`",
      fields: "connection_uri username password verify_connection password_policy username_template",
    },
    "secrets:Mount": {
      source: "`sys/mounts/:path`, `sys/mounts/:path/tune`",
      fields: MOUNT,
      notOffered: { ...NOT_OF_MOUNTS, token_type: "only valid for auth methods" },
    },
    "secrets:AuthMethod": {
      source: "`sys/auth/:path`, `sys/auth/:path/tune`",
      fields: MOUNT,
      notOffered: { ...NOT_OF_MOUNTS, options: "no auth method has options" },
    },
    "secrets:Policy": {
      source: "`sys/policies/acl/:name`",
      fields: "name policy expiration ttl cas cas_required",
      notOffered: {
        cas: "sent with every write, if the server has versions of policies",
        cas_required: OPENBAO,
        expiration: OPENBAO,
        ttl: OPENBAO,
      },
    },
    "secrets:PasswordPolicy": {
      source: "`sys/policies/password/:name`",
      fields: "name policy entropy_source",
      notOffered: { entropy_source: ENTERPRISE },
    },
    "secrets:MfaMethod": {
      source: "`identity/mfa/method/okta`",
      fields: "method_name method_id username_format org_name api_token base_url primary_email production",
      notOffered: { method_id: SERVER, production: `${DEPRECATED}: use \`base_url\`` },
    },
    "secrets:LoginEnforcement": {
      source: "`identity/mfa/login-enforcement/:name`",
      fields: `
        name mfa_method_ids auth_method_accessors auth_method_types identity_group_ids identity_entity_ids`,
    },
    "secrets:CloudRoot": {
      source: "`<mount>/config/root` (AWS)",
      fields: `
        access_key secret_key region iam_endpoint sts_endpoint sts_region sts_fallback_endpoints sts_fallback_regions
        max_retries username_template role_arn identity_token_audience identity_token_ttl rotation_schedule
        rotation_window rotation_period disable_automated_rotation`,
    },
    "secrets:CloudLease": { source: "`<mount>/config/lease` (AWS)", fields: "lease lease_max" },
    "secrets:CloudRole": {
      source: "`<mount>/roles/:name` (AWS)",
      fields: `
        name credential_type role_arns policy_arns policy_document iam_groups iam_tags session_tags external_id
        default_sts_ttl max_sts_ttl permissions_boundary_arn arn policy user_path mfa_serial_number`,
    },
    "secrets:CloudStaticRole": {
      source: "`<mount>/static-roles/:name` (AWS)",
      fields: "name username rotation_period assume_role_arn assume_role_session_name external_id",
    },
    "secrets:DirectoryConfig": {
      source: "`<mount>/config` (LDAP)",
      fields: `
        binddn bindpass url userdn userattr upndomain schema password_policy length request_timeout connection_timeout
        starttls insecure_tls certificate client_tls_cert client_tls_key credential_type
        skip_static_role_import_rotation tls_min_version tls_max_version userfilter ttl max_ttl anonymous_group_search
        groupdn groupfilter groupattr username_as_alias discoverdn deny_null_bind case_sensitive_names use_token_groups
        use_pre111_group_cn_behavior dereference_aliases max_page_size enable_samaccountname_login rotation_schedule
        rotation_window rotation_period disable_automated_rotation`,
      notOffered: {
        userfilter: OF_CREDENTIALS,
        ttl: DEPRECATED,
        max_ttl: DEPRECATED,
        anonymous_group_search: OF_CREDENTIALS,
        groupdn: OF_CREDENTIALS,
        groupfilter: OF_CREDENTIALS,
        groupattr: OF_CREDENTIALS,
        username_as_alias: OF_CREDENTIALS,
        discoverdn: OF_CREDENTIALS,
        deny_null_bind: OF_CREDENTIALS,
        case_sensitive_names: OF_CREDENTIALS,
        use_token_groups: OF_CREDENTIALS,
        use_pre111_group_cn_behavior: OF_CREDENTIALS,
        dereference_aliases: OF_CREDENTIALS,
        max_page_size: OF_CREDENTIALS,
        enable_samaccountname_login: OF_CREDENTIALS,
      },
    },
    "secrets:DirectoryStaticRole": {
      source: "`<mount>/static-role/:name` (LDAP)",
      fields: "name username dn rotation_period skip_import_rotation",
      sentAs: { role_name: "name" },
    },
    "secrets:DirectoryRole": {
      source: "`<mount>/role/:name` (LDAP)",
      fields: "name creation_ldif deletion_ldif rollback_ldif username_template default_ttl max_ttl",
      sentAs: { role_name: "name" },
    },
    "secrets:LibrarySet": {
      source: "`<mount>/library/:name` (LDAP)",
      fields: "name service_account_names ttl max_ttl disable_check_in_enforcement",
    },
    "secrets:KvSecret": {
      source: "`<mount>/data/:path` (KV, version 2)",
      fields: "path data options{cas}",
      notOffered: { options: "sent with every write" },
    },
    "secrets:UserpassUser": {
      source: "`auth/<mount>/users/:username`",
      fields: `username password password_hash policies ttl max_ttl bound_cidrs ${TOKEN}`,
      notOffered: {
        password_hash: NOT_MANAGED,
        policies: `${DEPRECATED}: use \`token_policies\``,
        ttl: `${DEPRECATED}: use \`token_ttl\``,
        max_ttl: `${DEPRECATED}: use \`token_max_ttl\``,
        bound_cidrs: `${DEPRECATED}: use \`token_bound_cidrs\``,
        token_strictly_bind_ip: OPENBAO,
      },
    },
    "secrets:AppRole": {
      source: "`auth/<mount>/role/:role_name`",
      fields: `
        role_name bind_secret_id bound_cidr_list secret_id_bound_cidrs policies secret_id_num_uses secret_id_ttl period
        role_id local_secret_ids ${TOKEN}`,
      notOffered: {
        bound_cidr_list: `${DEPRECATED}: use \`secret_id_bound_cidrs\``,
        policies: `${DEPRECATED}: use \`token_policies\``,
        period: `${DEPRECATED}: use \`token_period\``,
        role_id: "set by the server; a role ID of your own has its own request",
        token_strictly_bind_ip: OPENBAO,
      },
    },
    "secrets:Entity": {
      source: "`identity/entity`",
      fields: "id name metadata policies disabled",
      notOffered: { id: SERVER },
    },
    "secrets:EntityAlias": {
      source: "`identity/entity-alias`",
      fields: "id entity_id canonical_id mount_accessor name custom_metadata",
      notOffered: { id: SERVER, entity_id: `${DEPRECATED}: use \`canonical_id\`` },
    },
    "secrets:Group": {
      source: "`identity/group`",
      fields: "id type name metadata policies member_group_ids member_entity_ids",
      notOffered: { id: SERVER },
    },
    "secrets:GroupAlias": {
      source: "`identity/group-alias`",
      fields: "id name mount_accessor canonical_id",
      notOffered: { id: SERVER },
    },
    "secrets:Namespace": {
      source: "`sys/namespaces/:path`",
      fields: "path custom_metadata",
      sentAs: { name: "path" },
    },
  },
  without: {
    "secrets:LibraryCheckOut": "an action",
    "secrets:QueueCredentials": "issues credentials",
    "secrets:CloudCredentials": "issues credentials",
    "secrets:DirectoryCredentials": "issues credentials",
    "secrets:CloudRootRotation": "an action",
    "secrets:DirectoryRootRotation": "an action",
    "secrets:DirectoryRoleRotation": "an action",
    "secrets:RecoveryKeyRekey": "an action",
    "secrets:RecoveryKeyVerification": "an action",
    "secrets:RecoveryBackupDeletion": "an action",
  },
};
