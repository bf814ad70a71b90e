import type { Specified } from "../../provider/core/language/fields";
import type { Service } from "../../provider/core/language/service";

/** A product's name for a resource, so that people who know the product find the resource. */
export interface ProductName {
  /** For example "RabbitMQ role". */
  readonly noun: string;
  /** The equivalent in Terraform; unset if Terraform's providers have none. */
  readonly terraform?: string;
  /** A page in the product's documentation. */
  readonly docs?: string;
}

/** The products behind a service. */
export interface Products {
  /** The name in sentences about the server. */
  readonly server: string;
  /** All products. */
  readonly names: string;
}

const PRODUCTS: Readonly<Record<string, Products>> = {
  workspaces: { server: "HCP Terraform", names: "HCP Terraform and Terraform Enterprise" },
  scheduler: { server: "Nomad", names: "Nomad" },
  secrets: { server: "Vault", names: "Vault and OpenBao" },
  mesh: { server: "Consul", names: "Consul" },
};

/** The products behind a service. */
export function productsOf({ name }: Pick<Service, "name">): Products {
  return PRODUCTS[name] ?? { server: "the server", names: name };
}

/** The product's name for a resource; undefined for a resource that is not in the table. */
export function productNameOf({ token }: Pick<Specified, "token">): ProductName | undefined {
  return NAMES[token];
}

/** The product's noun with the product: "RabbitMQ role (Vault)". */
export function nounOf(definition: Specified): string | undefined {
  const name = productNameOf(definition);
  return name && `${name.noun} (${productsOf(definition.service).server})`;
}

/** The first sentence of a description: the product's noun, and the equivalent in Terraform. */
function productSentence(definition: Specified): string | undefined {
  const noun = nounOf(definition);
  const terraform = productNameOf(definition)?.terraform;
  if (noun === undefined) return undefined;
  return terraform === undefined ? `${noun}.` : `${noun}; Terraform: ${terraform}.`;
}

/** The description of a resource: the product's noun first, then the definition's own text. */
export function resourceParagraphs(definition: Specified): string[] {
  const first = productSentence(definition);
  return first === undefined ? [definition.doc] : [first, definition.doc];
}

const DEVELOPER = "https://developer.hashicorp.com";
const WORKSPACES = `${DEVELOPER}/terraform/enterprise/api-docs/workspaces`;
const RABBITMQ = `${DEVELOPER}/vault/api-docs/secret/rabbitmq`;
const AWS = `${DEVELOPER}/vault/api-docs/secret/aws`;
const LDAP = `${DEVELOPER}/vault/api-docs/secret/ldap`;
const REKEY = "https://openbao.org/api-docs/system/rekey-recovery-key";
const ENTRIES = `${DEVELOPER}/consul/api-docs/config`;

/** The names, by the resource's token. Add only links to pages that exist: a wrong link is worse than none. */
const NAMES: Readonly<Record<string, ProductName>> = {
  "workspaces:Workspace": { noun: "Workspace", terraform: "`tfe_workspace`", docs: WORKSPACES },
  "workspaces:RegistryProvider": {
    noun: "Private registry provider",
    terraform: "`tfe_registry_provider`",
    docs: `${DEVELOPER}/terraform/cloud-docs/api-docs/private-registry/providers`,
  },
  "workspaces:WorkspaceLock": { noun: "Workspace lock", docs: WORKSPACES },
  "workspaces:WorkspaceSshKey": {
    noun: "Workspace SSH key assignment",
    terraform: "`ssh_key_id` of `tfe_workspace`",
    docs: WORKSPACES,
  },
  "workspaces:RemoteStateConsumers": {
    noun: "Remote state consumers of a workspace",
    terraform: "`remote_state_consumer_ids` of `tfe_workspace_settings`",
    docs: WORKSPACES,
  },
  "workspaces:DataRetentionPolicy": {
    noun: "Data retention policy of a workspace",
    terraform: "`tfe_data_retention_policy`",
    docs: `${DEVELOPER}/terraform/enterprise/api-docs/data-retention-policies`,
  },
  "workspaces:WorkspaceForceUnlock": { noun: "Forced unlock of a workspace", docs: WORKSPACES },
  "scheduler:Job": {
    noun: "Job",
    terraform: "`nomad_job`",
    docs: `${DEVELOPER}/nomad/docs/job-specification`,
  },
  "secrets:QueueRole": {
    noun: "RabbitMQ role",
    terraform: "`vault_rabbitmq_secret_backend_role`",
    docs: RABBITMQ,
  },
  "secrets:QueueLease": { noun: "RabbitMQ lease configuration", docs: RABBITMQ },
  "secrets:QueueConnection": {
    noun: "RabbitMQ connection",
    terraform: "`vault_rabbitmq_secret_backend`",
    docs: RABBITMQ,
  },
  "secrets:QueueCredentials": { noun: "RabbitMQ credentials", docs: RABBITMQ },
  "secrets:MfaMethod": {
    noun: "Okta MFA method",
    terraform: "`vault_identity_mfa_okta`",
    docs: `${DEVELOPER}/vault/api-docs/secret/identity/mfa/okta`,
  },
  "secrets:LoginEnforcement": {
    noun: "MFA login enforcement",
    terraform: "`vault_identity_mfa_login_enforcement`",
    docs: `${DEVELOPER}/vault/api-docs/secret/identity/mfa/login-enforcement`,
  },
  "secrets:CloudRoot": {
    noun: "AWS secrets engine root configuration",
    terraform: "`vault_aws_secret_backend`",
    docs: AWS,
  },
  "secrets:CloudLease": { noun: "AWS secrets engine lease configuration", docs: AWS },
  "secrets:CloudRole": {
    noun: "AWS secrets engine role",
    terraform: "`vault_aws_secret_backend_role`",
    docs: AWS,
  },
  "secrets:CloudStaticRole": {
    noun: "AWS secrets engine static role",
    terraform: "`vault_aws_secret_backend_static_role`",
    docs: AWS,
  },
  "secrets:CloudCredentials": { noun: "AWS credentials", docs: AWS },
  "secrets:CloudRootRotation": { noun: "AWS secrets engine root rotation", docs: AWS },
  "secrets:DirectoryConfig": {
    noun: "LDAP secrets engine configuration",
    terraform: "`vault_ldap_secret_backend`",
    docs: LDAP,
  },
  "secrets:DirectoryStaticRole": {
    noun: "LDAP static role",
    terraform: "`vault_ldap_secret_backend_static_role`",
    docs: LDAP,
  },
  "secrets:DirectoryRole": {
    noun: "LDAP dynamic role",
    terraform: "`vault_ldap_secret_backend_dynamic_role`",
    docs: LDAP,
  },
  "secrets:DirectoryCredentials": { noun: "LDAP dynamic credentials", docs: LDAP },
  "secrets:DirectoryRootRotation": { noun: "LDAP bind password rotation", docs: LDAP },
  "secrets:DirectoryRoleRotation": { noun: "LDAP static role rotation", docs: LDAP },
  "secrets:LibrarySet": {
    noun: "LDAP library set",
    terraform: "`vault_ldap_secret_backend_library_set`",
    docs: LDAP,
  },
  "secrets:LibraryCheckOut": { noun: "LDAP library check-out", docs: LDAP },
  "secrets:RecoveryKeyRekey": { noun: "Recovery key rekey", docs: REKEY },
  "secrets:RecoveryKeyVerification": { noun: "Recovery key rekey verification", docs: REKEY },
  "secrets:RecoveryBackupDeletion": { noun: "Recovery key backup deletion", docs: REKEY },
  "mesh:ConfigEntry": {
    noun: "Configuration entry of any kind",
    terraform: "`consul_config_entry`",
    docs: ENTRIES,
  },
  "mesh:ServiceDefaults": {
    noun: "`service-defaults` entry",
    terraform: "`consul_config_entry_service_defaults`",
    docs: `${DEVELOPER}/consul/docs/agent/config-entries/service-defaults`,
  },
  "mesh:ServiceIntentions": {
    noun: "`service-intentions` entry",
    terraform: "`consul_config_entry_service_intentions`",
    docs: `${DEVELOPER}/consul/connect/config-entries/service-intentions`,
  },
  "mesh:ServiceResolver": {
    noun: "`service-resolver` entry",
    terraform: "`consul_config_entry_service_resolver`",
    docs: ENTRIES,
  },
  "mesh:ServiceRouter": {
    noun: "`service-router` entry",
    terraform: "`consul_config_entry_service_router`",
    docs: ENTRIES,
  },
  "mesh:ServiceSplitter": {
    noun: "`service-splitter` entry",
    terraform: "`consul_config_entry_service_splitter`",
    docs: `${DEVELOPER}/consul/docs/agent/config-entries/service-splitter`,
  },
  "mesh:IngressGateway": {
    noun: "`ingress-gateway` entry",
    terraform: "`consul_config_entry`",
    docs: ENTRIES,
  },
  "mesh:TerminatingGateway": {
    noun: "`terminating-gateway` entry",
    terraform: "`consul_config_entry`",
    docs: ENTRIES,
  },
  "mesh:ApiGateway": { noun: "`api-gateway` entry", terraform: "`consul_config_entry`", docs: ENTRIES },
  "mesh:HttpRoute": {
    noun: "`http-route` entry",
    terraform: "`consul_config_entry`",
    docs: `${DEVELOPER}/consul/docs/connect/config-entries/http-route`,
  },
  "mesh:TcpRoute": { noun: "`tcp-route` entry", terraform: "`consul_config_entry`", docs: ENTRIES },
  "mesh:InlineCertificate": {
    noun: "`inline-certificate` entry",
    terraform: "`consul_config_entry`",
    docs: `${DEVELOPER}/consul/docs/connect/config-entries/inline-certificate`,
  },
  "mesh:ExportedServices": {
    noun: "`exported-services` entry",
    terraform: "`consul_config_entry`",
    docs: `${DEVELOPER}/consul/docs/reference/config-entry/exported-services`,
  },
  "mesh:ProxyDefaults": {
    noun: "`proxy-defaults` entry",
    terraform: "`consul_config_entry`",
    docs: `${DEVELOPER}/consul/docs/agent/config-entries/proxy-defaults`,
  },
  "mesh:Mesh": { noun: "`mesh` entry", terraform: "`consul_config_entry`", docs: ENTRIES },
};
