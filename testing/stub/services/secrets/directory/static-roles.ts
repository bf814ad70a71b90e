import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, answerKeys, type Endpoint, NO_CONTENT } from "../operation";
import { type DirectoryOperation, isInDirectory, newPassword } from "./operation";
import type { DirectoryStaticRole } from "./records";

/** Static roles, their credentials and rotation. */
export const staticRoleEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  { path: "static-role", list: (operation) => answerKeys(operation, operation.data.staticRoles) },
  { path: "static-role/:name", read, write, remove },
  { path: "static-cred/:name", read: readCredentials },
  { path: "rotate-role/:name", write: rotate },
];

/**
 * A write merges. The user cannot change after creation; the dn can only be emptied. Creation rotates the password
 * immediately, unless the request or the configuration skips that.
 */
function write(operation: DirectoryOperation): StubResponse {
  const { params, fields, data, request } = operation;
  const name = params.name ?? "";
  const before = current(operation, name);
  const username = fields.string("username") ?? before?.username ?? "";
  const dn = fields.string("dn") ?? before?.dn ?? "";
  const rotationPeriod = fields.duration("rotation_period") ?? before?.rotationPeriod;
  if (username === "") throw invalid("username is a required field to manage a static role");
  if (before !== undefined && username !== before.username) {
    throw invalid("cannot update static account username");
  }
  // An empty dn unsets it.
  if (before !== undefined && dn !== "" && dn !== before.dn)
    throw invalid("cannot update static account distinguished name (dn)");
  if (rotationPeriod === undefined) throw invalid("rotation_period is required to create static accounts");
  if (rotationPeriod < 5) throw invalid("rotation_period must be 5 seconds or more");
  if (before === undefined && !isInDirectory(operation, username)) {
    throw serverError(`search failed: no entry for ${username} in the directory`);
  }
  const skips = skipsRotation(operation, before !== undefined);
  const createdState = () => ({
    lastRotation: request.now,
    password: skips ? "" : newPassword(operation),
    lastPassword: "",
  });
  data.staticRoles.set(name, { ...(before ?? createdState()), username, dn, rotationPeriod });
  return NO_CONTENT;
}

function skipsRotation({ fields, data }: DirectoryOperation, isUpdate: boolean): boolean {
  const skips = fields.boolean("skip_import_rotation");
  if (skips !== undefined && isUpdate) throw invalid("skip_import_rotation has no effect on updates");
  return skips ?? data.config.get("config")?.skip_static_role_import_rotation === true;
}

function read(operation: DirectoryOperation): StubResponse {
  const role = current(operation, operation.params.name ?? "");
  if (role === undefined) throw absent();
  return answer(operation, describe(role));
}

/** Deleting an absent role is a 204, or a 500 with the switch `absentStaticRoleDelete`. */
function remove({ params, data, switches }: DirectoryOperation): StubResponse {
  const wasThere = data.staticRoles.delete(params.name ?? "");
  if (!wasThere && switches.absentStaticRoleDelete === 500) throw serverError("queue is empty");
  return NO_CONTENT;
}

function readCredentials(operation: DirectoryOperation): StubResponse {
  const role = theRole(operation);
  const next = role.lastRotation + role.rotationPeriod * 1000;
  return answer(operation, {
    ...describe(role),
    password: role.password,
    last_password: role.lastPassword,
    ttl: Math.ceil((next - operation.request.now) / 1000),
  });
}

function rotate(operation: DirectoryOperation): StubResponse {
  const role = theRole(operation);
  operation.data.staticRoles.set(
    operation.params.name ?? "",
    withNewPassword(operation, role, operation.request.now),
  );
  return NO_CONTENT;
}

/** The role at the current time: rotates the password if its period has passed. */
function current(operation: DirectoryOperation, name: string): DirectoryStaticRole | undefined {
  const { data, request } = operation;
  const role = data.staticRoles.get(name);
  if (role === undefined) return undefined;
  const periods = Math.floor((request.now - role.lastRotation) / (role.rotationPeriod * 1000));
  if (periods < 1) return role;
  const after = withNewPassword(operation, role, role.lastRotation + periods * role.rotationPeriod * 1000);
  data.staticRoles.set(name, after);
  return after;
}

function withNewPassword(
  operation: DirectoryOperation,
  role: DirectoryStaticRole,
  at: number,
): DirectoryStaticRole {
  return { ...role, lastRotation: at, lastPassword: role.password, password: newPassword(operation) };
}

function theRole(operation: DirectoryOperation): DirectoryStaticRole {
  const name = operation.params.name ?? "";
  const role = current(operation, name);
  if (role === undefined) {
    throw invalid(
      operation.switches.dialect === "real" ? `role doesn't exist: ${name}` : `unknown role: ${name}`,
    );
  }
  return role;
}

function describe({ dn, lastRotation, rotationPeriod, username }: DirectoryStaticRole): object {
  return {
    dn,
    last_vault_rotation: new Date(lastRotation).toISOString(),
    rotation_period: rotationPeriod,
    username,
  };
}
