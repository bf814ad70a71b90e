import { serverError } from "../errors";
import type { Operation, ReadEndpoint, WriteEndpoint } from "../operation";
import { IDENTITIES, LINK, storedIdentities, storedLinks, unlessEmpty, withNames } from "./links";
import { type AclObject, AclStore, COMPUTED, type Known, readMembers, requireAcl, shown } from "./store";

const MEMBERS: Known = {
  ID: null,
  Name: null,
  Description: null,
  Policies: LINK,
  ...IDENTITIES,
  ...COMPUTED,
};
const NAME = /^[A-Za-z0-9\-_]{1,256}$/;

function write(operation: Operation) {
  const given = readMembers(operation, "role", MEMBERS);
  requireAcl(operation, "write");
  const { Name: name = "", Description = "" } = given;
  const text = String(name);
  if (text === "") throw serverError("Invalid Role: no Name is set");
  if (!NAME.test(text))
    throw serverError("Invalid Role: invalid Name. Only alphanumeric characters, '-' and '_' are allowed");
  const store = new AclStore(operation, "role", given);
  const before = store.toReplace();
  if (store.byName(text) !== undefined && before?.Name !== text)
    throw serverError(
      `Invalid Role: A ${before ? "role with name" : "Role with Name"} ${JSON.stringify(text)} already exists`,
    );
  const Policies = storedLinks(operation, "policy", given);
  const identities = storedIdentities(given, "role");
  const ID = before?.ID ?? store.freshId();
  const members = { ID, Name: text, Description, ...unlessEmpty("Policies", Policies), ...identities };
  return { response: { status: 200, body: withNames(operation, store.store(String(ID), members)) } };
}

function read(operation: Operation, found: (store: AclStore) => AclObject | undefined) {
  requireAcl(operation, "read");
  const object = found(new AclStore(operation, "role"));
  return shown(object && withNames(operation, object), "role");
}

/** `/v1/acl/role` and `/v1/acl/roles`, from Consul's API documentation and the source of Consul 1.22.2. */
export const roleReads: readonly ReadEndpoint[] = [
  {
    method: "GET",
    path: "/v1/acl/roles",
    read(operation) {
      requireAcl(operation, "read");
      const body = new AclStore(operation, "role").all.map((role) => withNames(operation, role));
      return { body, stamp: JSON.stringify(body) };
    },
  },
  {
    method: "GET",
    path: "/v1/acl/role/:id",
    read: (operation) => read(operation, (store) => store.byId(operation.request.params.id ?? "")),
  },
  {
    method: "GET",
    path: "/v1/acl/role/name/:name",
    read: (operation) => read(operation, (store) => store.byName(operation.request.params.name)),
  },
];

export const roleWrites: readonly WriteEndpoint[] = [
  { method: "PUT", path: "/v1/acl/role", write },
  { method: "PUT", path: "/v1/acl/role/:id", write },
  {
    method: "DELETE",
    path: "/v1/acl/role/:id",
    write(operation) {
      requireAcl(operation, "write");
      return new AclStore(operation, "role").delete(operation.request.params.id ?? "");
    },
  },
];
