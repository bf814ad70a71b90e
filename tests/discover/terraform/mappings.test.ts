import { lookups } from "../../../cli/import/terraform/lookups";
import { mappingOf, mappings } from "../../../cli/import/terraform/mappings";
import { catalog } from "../../../provider/catalog";
import { addressParts } from "../../../provider/core/language/address";
import { fieldsOf } from "../../../provider/core/language/fields";
import { ownMember } from "../../../provider/core/value/json";
import { allFunctions } from "../../../provider/functions";

/** Types whose objects no Terraform provider manages. */
const WITHOUT_TERRAFORM = [
  "workspaces:WorkspaceLock",
  "workspaces:WorkspaceSshKey",
  "workspaces:WorkspaceForceUnlock",
  "workspaces:RegistryProviderVersion",
  "workspaces:RegistryProviderPlatform",
  "workspaces:Run",
  "workspaces:ConfigurationVersion",
  "secrets:LibraryCheckOut",
  "secrets:QueueCredentials",
  "secrets:CloudCredentials",
  "secrets:DirectoryCredentials",
  "secrets:CloudRootRotation",
  "secrets:DirectoryRootRotation",
  "secrets:DirectoryRoleRotation",
  "secrets:RecoveryKeyRekey",
  "secrets:RecoveryKeyVerification",
  "secrets:RecoveryBackupDeletion",
];

/** Values of attributes that decide about the targets. */
const VARIANTS: Readonly<Record<string, readonly object[]>> = {
  tfe_workspace: [{ remote_state_consumer_ids: ["ws-2"] }],
  tfe_variable: [{ variable_set_id: "varset-1" }, { variable_set_id: "" }],
  vault_generic_endpoint: [{ path: "auth/team/userpass/users/ann" }],
  consul_config_entry: Object.keys(catalog)
    .filter((token) => token.startsWith("mesh:") && !/:(?:Acl|KeyValue)/.test(token))
    .map((token) => ({ kind: token === "mesh:ConfigEntry" ? "bound-api-gateway" : kindOf(token) })),
  consul_keys: [
    {
      key: [
        { path: "a", value: "1" },
        { path: "read", default: "x" },
      ],
    },
  ],
  consul_key_prefix: [{ path_prefix: "p/", subkeys: { a: "1" }, subkey: [{ path: "b", value: "2" }] }],
};

function kindOf(token: string): string {
  return token
    .replace("mesh:", "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase();
}

/** Attributes with any text for each name. */
const anyText = (given: object) =>
  new Proxy(given, {
    get: (target, name) => (name in target ? target[name as keyof typeof target] : `the ${String(name)}`),
  });

const targetsOf = (type: string) =>
  (VARIANTS[type] ?? [{}]).flatMap((variant) => mappingOf(type)?.targets(anyText(variant) as never) ?? []);

test.each(Object.keys(mappings))("the targets of %s have the parts of their types' IDs", (type) => {
  const targets = targetsOf(type);
  expect(targets.length).toBeGreaterThan(0);
  for (const { token, address, listedAs } of targets) {
    const definition = ownMember(catalog, token)?.();
    if (definition === undefined) throw new Error(`there is no ${token}`);
    const { id } = definition.where;
    const inTemplate = [...id.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    // The kinds with a single entry have its name in the template.
    const allowed = [
      "name",
      ...inTemplate,
      ...(id.realm === undefined ? [] : [id.realm]),
      ...addressParts(definition),
    ];
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(address)));
    const missing = inTemplate.filter(
      (name) =>
        address[name as string] === undefined && !((name as string) in (definition.where.defaults ?? {})),
    );
    expect(missing).toEqual(listedAs === undefined ? [] : inTemplate);
  }
});

test("every type that a Terraform provider manages has a mapping", () => {
  const reached = new Set(
    Object.keys(mappings)
      .flatMap(targetsOf)
      .map(({ token }) => token),
  );
  const missing = Object.keys(catalog).filter((token) => !reached.has(token));
  expect(missing).toEqual(WITHOUT_TERRAFORM);
});

test("a key is migrated only if Terraform writes it", () => {
  expect(targetsOf("consul_keys").map(({ address }) => address.key)).toEqual(["a"]);
  expect(targetsOf("consul_key_prefix").map(({ address }) => address.key)).toEqual(["p/a", "p/b"]);
});

test("the anonymous ACL token of Consul is not migrated", () => {
  const id = "00000000-0000-0000-0000-000000000002";
  expect(mappingOf("consul_acl_token")?.targets({ id })).toEqual([]);
});

test("an endpoint is migrated only if it is a user", () => {
  expect(targetsOf("vault_generic_endpoint")).toMatchObject([
    { token: "secrets:UserpassUser", address: { authMount: "team/userpass", username: "ann" } },
  ]);
  expect(mappingOf("vault_generic_endpoint")?.targets({ path: "auth/approle/role/x" })).toEqual([]);
});

test.each(Object.entries(lookups))("the function for the data source %s has these arguments", (_, lookup) => {
  const definition = allFunctions().find(({ token }) => token === lookup.token);
  if (definition === undefined) throw new Error(`there is no ${lookup.token}`);
  const names = fieldsOf(definition).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(lookup.args)));
  expect(Object.keys(catalog)).toContain(lookup.finds);
});
