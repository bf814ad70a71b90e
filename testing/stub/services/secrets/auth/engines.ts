import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, answerKeys, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import { type OlderNames, olderNamesAfter, shownOlder, withOwnNames } from "./older";
import type { AppRole } from "./records";
import { shownTokenSettings, TOKEN_PARAMETERS, tokenSettings } from "./tokens";

/** An operation below the path of an auth method. */
export interface AuthOperation extends Operation {
  readonly mountPath: string;
}

/** Older names, from the source of OpenBao 2.5.5 (`userpass/path_users.go`, `approle/path_role.go`). */
const OLDER_OF_USERS: OlderNames = {
  policies: "token_policies",
  ttl: "token_ttl",
  max_ttl: "token_max_ttl",
  bound_cidrs: "token_bound_cidrs",
};
const OLDER_OF_ROLES: OlderNames = {
  policies: "token_policies",
  period: "token_period",
  bound_cidr_list: "secret_id_bound_cidrs",
};

/** The endpoints of the auth methods that have objects in the stub, by type. */
export const authEndpoints: Readonly<Record<string, readonly Endpoint<AuthOperation>[]>> = {
  userpass: [
    { path: "users", list: (operation) => listOf(operation, operation.namespace.authData.users) },
    {
      path: "users/:name",
      read: readUser,
      write: writeUser,
      remove: (operation) => remove(operation, operation.namespace.authData.users),
      parameters: ["username", "password", ...Object.keys(OLDER_OF_USERS), ...TOKEN_PARAMETERS],
    },
  ],
  approle: [
    { path: "role", list: (operation) => listOf(operation, operation.namespace.authData.roles) },
    {
      path: "role/:name",
      read: readRole,
      write: writeRole,
      remove: (operation) => remove(operation, operation.namespace.authData.roles),
      parameters: [
        ...["role_id", "bind_secret_id", "local_secret_ids", "secret_id_bound_cidrs"],
        ...["secret_id_num_uses", "secret_id_ttl", ...Object.keys(OLDER_OF_ROLES), ...TOKEN_PARAMETERS],
      ],
    },
    { path: "role/:name/role-id", read: readRoleId },
  ],
};

/** Names are in lower case. */
const keyOf = ({ mountPath, params }: AuthOperation) => `${mountPath}:${(params.name ?? "").toLowerCase()}`;

function listOf(operation: AuthOperation, objects: ReadonlyMap<string, unknown>): StubResponse {
  const prefix = `${operation.mountPath}:`;
  const own = [...objects].filter(([key]) => key.startsWith(prefix));
  return answerKeys(operation, new Map(own.map(([key, value]) => [key.slice(prefix.length), value])));
}

function remove(operation: AuthOperation, objects: Map<string, unknown>): StubResponse {
  objects.delete(keyOf(operation));
  return NO_CONTENT;
}

function readUser(operation: AuthOperation): StubResponse {
  const user = operation.namespace.authData.users.get(keyOf(operation));
  if (user === undefined) throw absent();
  const shown = shownTokenSettings(user.tokens);
  return answer(operation, { ...shown, ...shownOlder(shown, OLDER_OF_USERS, user.older) });
}

function writeUser(operation: AuthOperation): StubResponse {
  const { namespace } = operation;
  const fields = withOwnNames(operation.fields, OLDER_OF_USERS);
  const before = namespace.authData.users.get(keyOf(operation));
  const older = olderNamesAfter(operation.fields, OLDER_OF_USERS, before?.older ?? []);
  const password = fields.string("password") ?? before?.password ?? "";
  if (password === "") throw invalid("missing password");
  const tokens = tokenSettings(fields, before?.tokens);
  namespace.authData.users.set(keyOf(operation), { password, tokens, older });
  return NO_CONTENT;
}

function roleAt(operation: AuthOperation): AppRole {
  const role = operation.namespace.authData.roles.get(keyOf(operation));
  if (role === undefined) throw absent();
  return role;
}

function readRole(operation: AuthOperation): StubResponse {
  const role = roleAt(operation);
  const shown = shownTokenSettings(role.tokens);
  return answer(operation, {
    bind_secret_id: role.bindSecretId,
    local_secret_ids: role.localSecretIds,
    secret_id_bound_cidrs: role.secretIdBoundCidrs,
    secret_id_num_uses: role.secretIdNumUses,
    secret_id_ttl: role.secretIdTtl,
    ...shown,
    ...shownOlder(shown, OLDER_OF_ROLES, role.older),
  });
}

function readRoleId(operation: AuthOperation): StubResponse {
  return answer(operation, { role_id: roleAt(operation).roleId });
}

function writeRole(operation: AuthOperation): StubResponse {
  const { namespace, randomness } = operation;
  const fields = withOwnNames(operation.fields, OLDER_OF_ROLES);
  const { roles } = namespace.authData;
  const before = roles.get(keyOf(operation));
  const tokens = tokenSettings(fields, before?.tokens);
  if (before !== undefined && fields.has("local_secret_ids"))
    throw invalid("local_secret_ids can only be modified during role creation");
  const role: AppRole = {
    roleId: fields.string("role_id") ?? before?.roleId ?? randomness.uuid(),
    bindSecretId: fields.boolean("bind_secret_id") ?? before?.bindSecretId ?? true,
    secretIdBoundCidrs: fields.list("secret_id_bound_cidrs") ?? before?.secretIdBoundCidrs ?? null,
    secretIdNumUses: fields.integer("secret_id_num_uses") ?? before?.secretIdNumUses ?? 0,
    secretIdTtl: fields.duration("secret_id_ttl") ?? before?.secretIdTtl ?? 0,
    localSecretIds: before?.localSecretIds ?? fields.boolean("local_secret_ids") ?? false,
    tokens,
    older: olderNamesAfter(operation.fields, OLDER_OF_ROLES, before?.older ?? []),
  };
  if (role.secretIdNumUses < 0) throw invalid("secret_id_num_uses cannot be negative");
  if (role.secretIdBoundCidrs?.some((cidr) => !/^[0-9a-f.:]+\/\d+$/i.test(cidr)))
    throw serverError("failed to validate CIDR blocks");
  if (
    !role.bindSecretId &&
    [role.secretIdBoundCidrs ?? [], tokens.boundCidrs].every((list) => list.length === 0)
  )
    throw serverError("at least one constraint should be enabled on the role");
  if ([...roles].some(([key, { roleId }]) => key !== keyOf(operation) && roleId === role.roleId))
    throw serverError("role_id already in use");
  roles.set(keyOf(operation), role);
  return NO_CONTENT;
}
