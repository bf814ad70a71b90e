import type { Procedure } from "../../../provider/core/language/lifecycles";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import directoryCredentials from "../../../provider/services/secrets/directoryCredentials";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { scene } from "./scene";

// These tests change the dialect of a stub that starts in `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

export const HOUR = 3_600_000;
export const DENIED = '{"errors":["permission denied"]}';
const asRoot = { "x-vault-token": "root", "content-type": "application/json" };

/** Each kind of credentials: its definition, a program, and its outputs. */
export const kinds: readonly (readonly [Definition<Procedure>, Values, readonly string[]])[] = [
  [queueCredentials, { name: "app" }, ["username", "password"]],
  [cloudCredentials, { name: "app" }, ["accessKey", "secretKey", "sessionToken", "arn"]],
  [directoryCredentials, { roleName: "app" }, ["username", "password", "distinguishedNames"]],
];

const LDIF = {
  creation_ldif: "dn: cn={{.Username}}\nchangetype: add",
  deletion_ldif: "dn: cn={{.Username}}\nchangetype: delete",
};

/** A server of one dialect whose credentials are valid for one hour, and a resource that is not created yet. */
export async function setUp(definition: Definition<Procedure>, dialect: "neutral" | "real" = "real") {
  const { world, resource } = await scene(definition, {
    "msgq/config/connection": { connection_uri: "http://broker", username: "admin", password: "hush" },
    "msgq/config/lease": { ttl: 3600 },
    "msgq/roles/app": { tags: "monitoring" },
    "cloud/config/root": { access_key: "AKIA", secret_key: "hush" },
    "cloud/roles/app": { credential_type: "assumed_role", role_arns: "arn:aws:iam::1:role/a" },
    "ldap/config": { binddn: "cn=admin", bindpass: "hush" },
    "ldap/role/app": { ...LDIF, default_ttl: 3600 },
  });
  if (dialect === "neutral") return { world, resource };
  world.stub.configure({ dialect });
  const real = world.with({ dialect, queueMount: "msgq", cloudMount: "cloud" });
  return { world: real, resource: new Resource(real, definition) };
}

/** Creates a resource, so that its credentials are issued. */
export async function issue(
  definition: Definition<Procedure>,
  program: Values,
  dialect?: "neutral" | "real",
) {
  const all = await setUp(definition, dialect);
  await all.resource.create(program);
  return all;
}

/** The leases on the server. */
export function leases(world: World): string[] {
  const { leases } = world.stub.dump() as { leases: object };
  return Array.isArray(leases) ? leases.map(([id]) => String(id)) : Object.keys(leases);
}

/** Sends a write of another user in the real dialect. */
export const write = (world: World, path: string, body: object) =>
  world.send("POST", `/v1/${path}`, { ...body } as never, asRoot);
