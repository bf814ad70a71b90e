import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, answerKeys, type Endpoint, issueLease, NO_CONTENT } from "../operation";
import { render } from "../templates";
import { decodeLdif, distinguishedNames } from "./ldif";
import { type DirectoryOperation, newPassword } from "./operation";
import type { DirectoryRole } from "./records";

/** Dynamic roles and the credentials that they generate. */
export const roleEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  { path: "role", list: (operation) => answerKeys(operation, operation.data.roles) },
  { path: "role/:name", read, write, remove },
  { path: "creds/:name", read: generate },
];

/** "POST makes partial updates: only given keys change; an empty string removes a value." */
function write(operation: DirectoryOperation): StubResponse {
  const { params, fields, data, switches } = operation;
  const before = data.roles.get(params.name ?? "") ?? NEW_ROLE;
  const ldif = (name: string) => {
    const text = fields.string(name);
    return text === undefined ? undefined : decodeLdif(text);
  };
  const role: DirectoryRole = {
    creationLdif: ldif("creation_ldif") ?? before.creationLdif,
    deletionLdif: ldif("deletion_ldif") ?? before.deletionLdif,
    rollbackLdif: ldif("rollback_ldif") ?? before.rollbackLdif,
    usernameTemplate: fields.string("username_template") ?? before.usernameTemplate,
    defaultTtl: fields.duration("default_ttl") ?? before.defaultTtl,
    maxTtl: fields.duration("max_ttl") ?? before.maxTtl,
  };
  if (role.creationLdif === "") {
    throw (switches.dialect === "real" ? serverError : invalid)("missing creation_ldif");
  }
  if (role.deletionLdif === "") {
    throw (switches.dialect === "real" ? serverError : invalid)("missing deletion_ldif");
  }
  if (role.maxTtl > switches.mountMaximumTtl) throw invalid("max_ttl cannot exceed the mount's maximum");
  const username = renderUsername(operation, role);
  for (const text of [role.creationLdif, role.deletionLdif, role.rollbackLdif]) {
    if (text !== "") distinguishedNames(renderLdif(operation, text, username, "password", 0));
  }
  // Vault stores the name as sent, but looks it up in lower case only.
  data.roles.set(params.sent ?? params.name ?? "", role);
  return NO_CONTENT;
}

function read(operation: DirectoryOperation): StubResponse {
  const role = operation.data.roles.get(operation.params.name ?? "");
  if (role === undefined) throw absent();
  return answer(operation, {
    creation_ldif: role.creationLdif,
    deletion_ldif: role.deletionLdif,
    rollback_ldif: role.rollbackLdif,
    username_template: role.usernameTemplate,
    default_ttl: role.defaultTtl,
    max_ttl: role.maxTtl,
  });
}

function remove({ params, data }: DirectoryOperation): StubResponse {
  data.roles.delete(params.name ?? "");
  return NO_CONTENT;
}

function generate(operation: DirectoryOperation): StubResponse {
  const { params, data, switches } = operation;
  const name = params.name ?? "";
  const role = data.roles.get(name);
  if (role === undefined) throw switches.dialect === "real" ? absent() : invalid(`unknown role: ${name}`);
  const username = renderUsername(operation, role);
  const password = newPassword(operation);
  const longest = role.maxTtl === 0 ? switches.mountMaximumTtl : role.maxTtl;
  const seconds = Math.min(role.defaultTtl === 0 ? switches.mountMaximumTtl : role.defaultTtl, longest);
  const creation = renderLdif(operation, role.creationLdif, username, password, seconds);
  return answer(
    operation,
    { username, password, distinguished_names: distinguishedNames(creation) },
    issueLease(operation, `creds/${name}`, seconds, { longest }),
  );
}

function renderUsername(operation: DirectoryOperation, role: DirectoryRole): string {
  const { token, params, randomness, request } = operation;
  return render(role.usernameTemplate === "" ? DEFAULT_TEMPLATE : role.usernameTemplate, {
    fields: { DisplayName: token.displayName, RoleName: params.name ?? "" },
    randomness,
    now: request.now,
    isLdif: false,
  });
}

/** Renders LDIF with the fields that the section "Templates" lists. */
function renderLdif(
  { token, params, randomness, request }: DirectoryOperation,
  ldif: string,
  username: string,
  password: string,
  seconds: number,
): string {
  const expires = request.now + seconds * 1000;
  return render(ldif, {
    fields: {
      Username: username,
      Password: password,
      RoleName: params.name ?? "",
      DisplayName: token.displayName,
      IssueTime: new Date(request.now).toISOString(),
      IssueTimeSeconds: Math.trunc(request.now / 1000),
      ExpirationTime: new Date(expires).toISOString(),
      ExpirationTimeSeconds: Math.trunc(expires / 1000),
    },
    randomness,
    now: request.now,
    isLdif: true,
  });
}

/** "`v_` display name, role name, 10 random characters, unix time, joined by underscores." */
const DEFAULT_TEMPLATE = "v_{{.DisplayName}}_{{.RoleName}}_{{random 10}}_{{unix_time}}";

const NEW_ROLE: DirectoryRole = {
  creationLdif: "",
  deletionLdif: "",
  rollbackLdif: "",
  usernameTemplate: "",
  defaultTtl: 0,
  maxTtl: 0,
};
