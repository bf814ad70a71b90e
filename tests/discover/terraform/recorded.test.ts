import { bridgedState } from "../../../cli/import/terraform/bridged";
import { type Migration, migrationOf } from "../../../cli/import/terraform/migration";
import { terraformState } from "../../../cli/import/terraform/state";
import { readOnlyProvider } from "../../../cli/state/readOnly";
import recorded from "../../recorded/terraform.json";

/**
 * A state that Terraform 1.11.4 wrote with its providers (tfe 0.79, the others of August 2026), after it created the objects
 * on Nomad 2.0.5, OpenBao 2.5.5, Consul 1.22.2 and OTF 0.6.3, without attributes that no mapping reads. `imports` has the
 * types, names and IDs with which these objects were adopted. The SSH key was not: no program can adopt it.
 */
const { state, imports } = recorded;

/**
 * The exported state of a stack with @pulumi/nomad (its plugin of July 2026), whose objects were adopted with the IDs in
 * `stackImports`, again without attributes that no mapping reads.
 */
const { stack, stackImports } = recorded;

/** Connections to an address at which no server listens. */
const unreachable = { address: "http://127.0.0.1:9", token: "x" };
const settings = new Map([
  ...["scheduler", "secrets", "mesh"].map(
    (name) => [`quarterdeck:${name}`, JSON.stringify(unreachable)] as const,
  ),
  ["quarterdeck:workspaces", JSON.stringify({ ...unreachable, organization: "acme" })],
  ["quarterdeck:connections", JSON.stringify({ east: { mesh: unreachable, scheduler: unreachable } })],
]);
const host = () => readOnlyProvider({ get: (key: string) => settings.get(key), env: {} }, {});

/** The type, the name and the ID of each imported resource, by the address of its object. */
function importsOf({ imports }: Migration): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { type, label, id, sources, target } of imports) {
    // The servers know whether these objects exist, and how many regions there are.
    if (target.isOptional) continue;
    const own = id.replace(/^global@/, "");
    for (const { address } of sources) {
      found[address] ??= [];
      found[address].push(`${type} ${label} ${own}`);
    }
  }
  return found;
}

test("the objects of a recorded state have the types, names and IDs of the live objects", async () => {
  const source = terraformState(JSON.stringify(state));
  const migration = await migrationOf(source, host());
  expect(importsOf(migration)).toEqual(imports);
  expect(migration.skipped).toEqual([
    { address: "terraform_data.other", why: "this package has no resource for this type" },
    { address: "vault_identity_mfa_totp.staff", why: "this package has no resource for this type" },
  ]);
});

test("the objects of a recorded stack have the types, names and IDs of the live objects", async () => {
  const migration = await migrationOf(bridgedState(JSON.stringify(stack)), host());
  expect(importsOf(migration)).toEqual(stackImports);
  expect(migration.skipped).toEqual([]);
});
