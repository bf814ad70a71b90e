import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import type { Switches } from "../settings";
import { answerList, namespaceFields, type Owned, visible } from "./namespaces";
import type { MfaMethod } from "./records";

/** A3. External identity provider MFA method. */
export function mfaMethodEndpoints({ dialect }: Switches): readonly Endpoint[] {
  const path = `identity/mfa/method/${METHOD_TYPE[dialect]}`;
  return [
    { path, parameters: parametersIn(dialect), replaces: true, list, write },
    { path: `${path}/:method_id`, parameters: parametersIn(dialect), replaces: true, read, write, remove },
  ];
}

const PARAMETERS = [
  "method_id",
  "method_name",
  "username_format",
  "org_name",
  "api_token",
  "base_url",
  "primary_email",
];

/** Vault also accepts the legacy `production`. */
const parametersIn = (dialect: Switches["dialect"]) =>
  dialect === "real" ? [...PARAMETERS, "production"] : PARAMETERS;

/** The method's type, which is the last segment of its path. */
const METHOD_TYPE = { neutral: "extidp", real: "okta" } as const;

/**
 * Without an ID: creates a method, or updates the one that already has the `method_name`, and returns its ID. With an ID:
 * updates; an unknown ID is a 204 without effect. A write resets every field that it omits, except the name and, in Vault,
 * the user name format.
 */
function write(operation: Operation): StubResponse {
  const { params, fields, namespace, randomness, switches } = operation;
  const id = params.method_id ?? fields.string("method_id") ?? "";
  const name = fields.string("method_name") ?? "";
  const named = [...namespace.methods.values()].find((method) => name !== "" && method.name === name);
  const before = id === "" ? named : namespace.methods.get(id);
  if (id !== "" && before === undefined) return NO_CONTENT;
  if (before !== undefined && named !== undefined && named.id !== before.id) {
    throw invalid(`a login MFA method configuration with the method name ${name} already exists`);
  }
  const requireText = (field: string) => {
    const value = fields.string(field) ?? "";
    if (value === "") throw invalid(`${field} must be set`);
    return value;
  };
  const production = switches.dialect === "real" ? fields.boolean("production") : undefined;
  const method: MfaMethod = {
    id: before?.id ?? randomness.uuid(),
    name: name === "" ? (before?.name ?? "") : name,
    orgName: requireText("org_name"),
    apiToken: requireText("api_token"),
    usernameFormat:
      fields.string("username_format") ?? (switches.dialect === "real" ? before?.usernameFormat : "") ?? "",
    baseUrl: fields.string("base_url") || (production === undefined ? "okta.com" : ""),
    production: production ?? true,
    primaryEmail: fields.boolean("primary_email") ?? false,
  };
  namespace.methods.set(method.id, method);
  return id === "" ? answer(operation, { method_id: method.id }) : NO_CONTENT;
}

function read(operation: Operation): StubResponse {
  const { params, switches } = operation;
  const found = visibleMethods(operation).find(({ item }) => item.id === params.method_id);
  if (found === undefined) throw absent();
  const secret = switches.dialect === "neutral" ? { api_token: found.item.apiToken } : {};
  return answer(operation, { ...render(found, switches), ...secret });
}

function list(operation: Operation): StubResponse {
  return answerList(
    operation,
    visibleMethods(operation).map((method) => [method.item.id, render(method, operation.switches)]),
  );
}

/** "Only when no login enforcement uses the method", including those of child namespaces; an absent method is a 204. */
function remove({ params, namespace, world, switches }: Operation): StubResponse {
  const id = params.method_id ?? "";
  for (const { path, enforcements } of world.namespaces.values()) {
    for (const { name, id: enforcementId, methodIds } of enforcements.values()) {
      if (methodIds.includes(id)) {
        throw serverError(
          switches.dialect === "real"
            ? `methodID is still used by an enforcement configuration with ID: ${enforcementId}`
            : `methodID "${id}" is still used by an enforcement configuration with ID "${name}" in namespace "${path}"`,
        );
      }
    }
  }
  namespace.methods.delete(id);
  return NO_CONTENT;
}

function visibleMethods(operation: Operation): readonly Owned<MfaMethod>[] {
  return visible(operation, ({ methods }) => methods);
}

function render({ owner, item }: Owned<MfaMethod>, { dialect }: Switches): object {
  return {
    id: item.id,
    name: item.name,
    type: METHOD_TYPE[dialect],
    org_name: item.orgName,
    ...(item.baseUrl === "" ? { production: item.production } : { base_url: item.baseUrl }),
    username_format: item.usernameFormat,
    mount_accessor: "",
    ...namespaceFields(owner),
  };
}
