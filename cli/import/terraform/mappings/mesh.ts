import { catalog } from "../../../../provider/catalog";
import { listOf } from "../../../../provider/core/value/json";
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

const REALM = { partition: "partition", namespace: "namespace" };

/** The type of the kinds without a type of their own. */
const GENERAL = "mesh:ConfigEntry";

/** The type of a kind of configuration entries: `mesh:ServiceDefaults`, or the general type if the kind has none. */
function tokenOfKind(kind: string): string {
  const name = kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `mesh:${name}` in catalog ? `mesh:${name}` : GENERAL;
}

/** The path of a configuration entry for Terraform's import, after its partition and namespace if it has any. */
function withRealm({ partition, namespace }: Attributes, path: string | undefined): string | undefined {
  const [own, space] = [textOf(partition), textOf(namespace)];
  return own === undefined && space === undefined ? path : joined(own ?? "default", space ?? "default", path);
}

const entry = (kind: string): Mapping =>
  oneResource(
    tokenOfKind(kind),
    { ...REALM, name: "name" },
    { importId: (attributes) => withRealm(attributes, textOf(attributes.name)) },
  );

/** A key for each path, relative to the prefix. */
const keys = (attributes: Attributes, paths: readonly (string | undefined)[], prefix = ""): Target[] =>
  paths.flatMap((path) =>
    path === undefined
      ? []
      : [
          {
            token: "mesh:KeyValue",
            address: {
              ...addressFrom(attributes, { ...REALM, datacenter: "datacenter" }),
              key: prefix + path,
            },
            suffix: path,
          },
        ],
  );

const membersOf = (value: unknown): Attributes =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Attributes) : {};

/** Types of terraform-provider-consul 2. */
export const mesh: Mappings = {
  consul_config_entry: {
    targets: (attributes) => {
      const kind = textOf(attributes.kind) ?? "";
      const token = tokenOfKind(kind);
      const parts = { ...REALM, name: "name", ...(token === GENERAL && { kind: "kind" }) };
      return [{ token, address: addressFrom(attributes, parts) }];
    },
    importId: (attributes) => withRealm(attributes, joined(textOf(attributes.kind), textOf(attributes.name))),
  },
  consul_config_entry_service_defaults: entry("service-defaults"),
  consul_config_entry_service_intentions: entry("service-intentions"),
  consul_config_entry_service_resolver: entry("service-resolver"),
  consul_config_entry_service_router: entry("service-router"),
  consul_config_entry_service_splitter: entry("service-splitter"),
  consul_keys: {
    // A key without a value is only read.
    targets: (attributes) => {
      const blocks = listOf(attributes.key).map(membersOf);
      const written = blocks.filter((block) => textOf(block.value) !== undefined || block.delete === true);
      return keys(
        attributes,
        written.map(({ path }) => textOf(path)),
      );
    },
    importId: "none",
  },
  consul_key_prefix: {
    targets: (attributes) => {
      const blocks = listOf(attributes.subkey).map((block) => textOf(membersOf(block).path));
      const paths = [...Object.keys(membersOf(attributes.subkeys)), ...blocks];
      return keys(attributes, paths, textOf(attributes.path_prefix));
    },
    note: "keys that others add below the prefix are not deleted any more",
  },
  consul_acl_policy: oneResource("mesh:AclPolicy", { ...REALM, policyId: "id" }),
  consul_acl_role: oneResource("mesh:AclRole", { ...REALM, roleId: "id" }),
  consul_acl_token: {
    // The anonymous token has a reserved ID: a program cannot create it.
    targets: (attributes) =>
      textOf(attributes.id)?.startsWith("00000000-0000-0000-0000-")
        ? []
        : [{ token: "mesh:AclToken", address: addressFrom(attributes, { ...REALM, accessorId: "id" }) }],
  },
  consul_acl_token_policy_attachment: oneResource(
    "mesh:AclToken",
    { accessorId: "token_id" },
    { isPart: true },
  ),
  consul_acl_token_role_attachment: oneResource(
    "mesh:AclToken",
    { accessorId: "token_id" },
    { isPart: true },
  ),
  consul_acl_role_policy_attachment: oneResource("mesh:AclRole", { roleId: "role_id" }, { isPart: true }),
};
