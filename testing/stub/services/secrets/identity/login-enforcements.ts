import type { StubResponse } from "../../../service";
import { absent, invalid } from "../errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "../operation";
import { answerList, namespaceFields, type Owned, visible } from "./namespaces";
import { type Enforcement, SELECTORS, type Selector } from "./records";

const PATH = "identity/mfa/login-enforcement";

/** A4. Login enforcement. */
export const loginEnforcementEndpoints: readonly Endpoint[] = [
  { path: PATH, list },
  { path: `${PATH}/:name`, read, write, remove },
];

/** A POST merges; each must contain the method IDs and at least one of the four selectors. */
function write(operation: Operation): StubResponse {
  const { params, fields, namespace, world, randomness } = operation;
  const name = params.name ?? "";
  const before = namespace.enforcements.get(name);
  const methodIds = fields.list("mfa_method_ids") ?? [];
  if (methodIds.length === 0) throw invalid("missing method ids");
  const known = visible(operation, ({ methods }) => methods).map(({ item }) => item.id);
  for (const id of methodIds) {
    if (!known.includes(id)) throw invalid("one of the provided method ids doesn't exist");
  }
  const given = SELECTORS.map((selector) => [selector, fields.list(selector)] as const);
  if (given.every(([, list]) => list === undefined)) {
    throw invalid(
      "One of auth_method_accessors, auth_method_types, identity_group_ids, identity_entity_ids must be specified",
    );
  }
  if (fields.list("auth_method_types")?.some((type) => !world.authTypes.has(type))) {
    throw invalid("one of the auth method types provided is invalid");
  }
  for (const [selector, list] of given) {
    if (list?.some((id) => world.identityIds !== null && !world.identityIds.includes(id)))
      refuseUnknown(selector);
  }
  const selectors = { ...(before?.selectors ?? NO_SELECTORS) };
  for (const [selector, list] of given) if (list !== undefined) selectors[selector] = list;
  namespace.enforcements.set(name, { id: before?.id ?? randomness.uuid(), name, methodIds, selectors });
  return NO_CONTENT;
}

/** Throws for groups, entities and auth mounts that do not exist. */
function refuseUnknown(selector: Selector): void {
  if (selector === "auth_method_accessors")
    throw invalid("one of the auth method accessors provided is invalid");
  if (selector === "identity_group_ids") throw invalid("one of the provided group ids doesn't exist");
  if (selector === "identity_entity_ids") throw invalid("one of the provided entity ids doesn't exist");
}

function read(operation: Operation): StubResponse {
  const { namespace: owner, params } = operation;
  // Lists of child namespaces include the names; Vault reads only those of its own namespace.
  const item = owner.enforcements.get(params.name ?? "");
  if (item === undefined) throw absent();
  return answer(operation, render({ owner, item }));
}

function list(operation: Operation): StubResponse {
  return answerList(
    operation,
    visibleEnforcements(operation).map((enforcement) => [enforcement.item.name, render(enforcement)]),
  );
}

function remove({ params, namespace }: Operation): StubResponse {
  namespace.enforcements.delete(params.name ?? "");
  return NO_CONTENT;
}

function visibleEnforcements(operation: Operation): readonly Owned<Enforcement>[] {
  return visible(operation, ({ enforcements }) => enforcements);
}

function render({ owner, item }: Owned<Enforcement>): object {
  return {
    id: item.id,
    name: item.name,
    mfa_method_ids: item.methodIds,
    ...item.selectors,
    ...namespaceFields(owner),
  };
}

const NO_SELECTORS: Enforcement["selectors"] = {
  auth_method_accessors: [],
  auth_method_types: [],
  identity_group_ids: [],
  identity_entity_ids: [],
};
