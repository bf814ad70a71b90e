import type { Attributes } from "../source";
import {
  addressFrom,
  joined,
  type Mapping,
  type Mappings,
  oneResource,
  type Target,
  textOf,
} from "./mapping";

/** The mount of an engine that Terraform mounts and configures in one resource. States of provider 4 have no accessor. */
function mountOf(attributes: Attributes): Target {
  const address = addressFrom(attributes, { namespace: "namespace", accessor: "accessor" });
  const listedAs = address.accessor === undefined ? withoutSlash(textOf(attributes.path)) : undefined;
  return { token: "secrets:Mount", address, listedAs };
}

/** An engine: its mount, its configuration, and its lease if it has one. */
const engine = (config: string, lease?: string, rest: EngineFacts = {}): Mapping => ({
  ...(rest.note !== undefined && { note: rest.note }),
  targets: (attributes) => {
    const address = addressFrom(attributes, { namespace: "namespace", mount: "path" });
    return [
      mountOf(attributes),
      { token: config, address, ...rest.unread?.(attributes) },
      ...(lease === undefined ? [] : [{ token: lease, address, isOptional: true }]),
    ];
  },
});

interface EngineFacts {
  readonly note?: string;
  /** The inputs of a configuration that the server never returns. */
  readonly unread?: (attributes: Attributes) => Pick<Target, "inputs" | "secretInputs">;
}

/** The connection of the RabbitMQ engine. Its URI may contain credentials. */
const queueConnection: EngineFacts = {
  note: "the server never returns the connection: the first `pulumi up` writes it, with the values of the state",
  unread: (attributes) => ({
    inputs: {
      ...addressFrom(attributes, {
        namespace: "namespace",
        mount: "path",
        passwordPolicy: "password_policy",
        usernameTemplate: "username_template",
      }),
      ...(attributes.verify_connection === false && { verifyConnection: false }),
    },
    // Terraform also treats the user name as a secret.
    secretInputs: ["connectionUri", "username", "password"],
  }),
};

const inMount = (token: string, mount: string, name = "name", part = "name") =>
  oneResource(token, { namespace: "namespace", mount, [part]: name });

const inNamespace = (token: string, part: string, attribute: string) =>
  oneResource(token, { namespace: "namespace", [part]: attribute });

/** A part of an entity or a group, whose resource of this package contains it. */
const partOf = (token: string, part: string, attribute: string): Mapping => ({
  ...inNamespace(token, part, attribute),
  isPart: true,
  importId: "none",
});

const withoutSlash = (path: string | undefined) => path?.replace(/\/$/, "");

/** Types of terraform-provider-vault 5. */
export const secrets: Mappings = {
  vault_mount: inNamespace("secrets:Mount", "accessor", "accessor"),
  vault_auth_backend: inNamespace("secrets:AuthMethod", "accessor", "accessor"),
  vault_policy: inNamespace("secrets:Policy", "name", "name"),
  vault_password_policy: inNamespace("secrets:PasswordPolicy", "name", "name"),
  vault_namespace: {
    targets: (attributes) => [
      {
        token: "secrets:Namespace",
        address: {
          ...addressFrom(attributes, { namespace: "namespace" }),
          name: withoutSlash(textOf(attributes.path)),
        },
      },
    ],
  },
  vault_identity_entity: inNamespace("secrets:Entity", "entityId", "id"),
  vault_identity_entity_policies: partOf("secrets:Entity", "entityId", "entity_id"),
  vault_identity_entity_alias: inNamespace("secrets:EntityAlias", "aliasId", "id"),
  vault_identity_group: inNamespace("secrets:Group", "groupId", "id"),
  vault_identity_group_policies: partOf("secrets:Group", "groupId", "group_id"),
  vault_identity_group_member_entity_ids: partOf("secrets:Group", "groupId", "group_id"),
  vault_identity_group_member_group_ids: partOf("secrets:Group", "groupId", "group_id"),
  vault_identity_group_alias: inNamespace("secrets:GroupAlias", "aliasId", "id"),
  vault_identity_mfa_okta: inNamespace("secrets:MfaMethod", "methodId", "method_id"),
  vault_identity_mfa_login_enforcement: inNamespace("secrets:LoginEnforcement", "name", "name"),
  vault_approle_auth_backend_role: oneResource("secrets:AppRole", {
    namespace: "namespace",
    authMount: "backend",
    roleName: "role_name",
  }),
  vault_userpass_auth_backend_user: oneResource(
    "secrets:UserpassUser",
    { namespace: "namespace", authMount: "mount", username: "username" },
    { importId: ({ mount, username }) => joined("auth", textOf(mount), "users", textOf(username)) },
  ),
  vault_generic_endpoint: {
    targets: (attributes) => {
      const [, authMount, username] =
        /^\/?auth\/(.+)\/users\/([^/]+)$/.exec(textOf(attributes.path) ?? "") ?? [];
      if (authMount === undefined) return [];
      const address = { ...addressFrom(attributes, { namespace: "namespace" }), authMount, username };
      return [{ token: "secrets:UserpassUser", address }];
    },
    importId: "none",
  },
  vault_kv_secret_v2: inMount("secrets:KvSecret", "mount", "name", "path"),
  vault_rabbitmq_secret_backend: engine("secrets:QueueConnection", "secrets:QueueLease", queueConnection),
  vault_rabbitmq_secret_backend_role: inMount("secrets:QueueRole", "backend"),
  vault_aws_secret_backend: engine("secrets:CloudRoot", "secrets:CloudLease"),
  vault_aws_secret_backend_role: inMount("secrets:CloudRole", "backend"),
  vault_aws_secret_backend_static_role: inMount("secrets:CloudStaticRole", "backend"),
  vault_ldap_secret_backend: engine("secrets:DirectoryConfig"),
  vault_ldap_secret_backend_static_role: inMount(
    "secrets:DirectoryStaticRole",
    "mount",
    "role_name",
    "roleName",
  ),
  vault_ldap_secret_backend_dynamic_role: inMount("secrets:DirectoryRole", "mount", "role_name", "roleName"),
  vault_ldap_secret_backend_library_set: inMount("secrets:LibrarySet", "mount"),
};
