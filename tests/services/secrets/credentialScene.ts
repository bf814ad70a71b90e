import type { Procedure } from "../../../provider/core/language/lives";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import directoryCredentials from "../../../provider/services/secrets/directoryCredentials";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { scene } from "./scene";

const LDIF = {
  creation_ldif: "dn: cn={{.Username}}\nchangetype: add",
  deletion_ldif: "dn: cn={{.Username}}\nchangetype: delete",
};
const WRITES: Readonly<Record<string, Json>> = {
  "msgq/config/connection": { connection_uri: "http://broker", username: "admin", password: "hush" },
  "msgq/config/lease": { ttl: 3600 },
  "msgq/roles/app": { tags: "monitoring" },
  "cloud/config/root": { access_key: "AKIA", secret_key: "hush" },
  "cloud/roles/app": { credential_type: "assumed_role", role_arns: "arn:aws:iam::1:role/a" },
  "ldap/config": { binddn: "cn=admin", bindpass: "hush" },
  "ldap/role/app": { ...LDIF, default_ttl: 3600 },
};

/** Each kind of credentials: its definition, a program, and what it gives. */
export const kinds: readonly (readonly [Definition<Procedure>, Values, readonly string[]])[] = [
  [queueCredentials, { name: "app" }, ["username", "password"]],
  [cloudCredentials, { name: "app" }, ["accessKey", "secretKey", "sessionToken", "arn"]],
  [directoryCredentials, { roleName: "app" }, ["username", "password", "distinguishedNames"]],
];

/** What the service has issued, by the leases that it knows. */
export function leases(world: World): string[] {
  const { leases } = world.stub.dump() as { leases: object };
  return Array.isArray(leases) ? leases.map(([id]) => String(id)) : Object.keys(leases);
}

/** A service that issues them for an hour, in one dialect. */
export async function staged(definition: Definition<Procedure>, dialect: "neutral" | "real" = "real") {
  const { world, resource } = await scene(definition, WRITES);
  if (dialect === "neutral") return { world, resource };
  world.stub.configure({ dialect });
  const real = world.with({ dialect, queueMount: "msgq", cloudMount: "cloud" });
  return { world: real, resource: new Resource(real, definition) };
}
