import { serverError } from "../errors";
import type { Operation, ReadEndpoint, WriteEndpoint } from "../operation";
import { unlessEmpty } from "./links";
import { AclStore, COMPUTED, type Known, readMembers, requireAcl, shown } from "./store";

const MEMBERS: Known = {
  ID: null,
  Name: null,
  Description: null,
  Rules: null,
  Datacenters: null,
  ...COMPUTED,
};
const NAME = /^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/;
/** Names that Consul creates itself. */
const BUILT_IN = ["global-management", "builtin/global-read-only"];

function write(operation: Operation) {
  const given = readMembers(operation, "policy", MEMBERS);
  requireAcl(operation, "write");
  const { Name: name = "", Description = "", Rules = "", Datacenters } = given;
  const text = String(name);
  if (text === "") throw serverError("Invalid Policy: no Name is set");
  if (text.length > 128 || !NAME.test(text))
    throw serverError(
      "Invalid Policy: invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed",
    );
  const store = new AclStore(operation, "policy", given);
  const before = store.toReplace();
  const isTaken = store.byName(text) !== undefined || BUILT_IN.includes(text);
  if (isTaken && before?.Name !== text)
    throw serverError(
      `Invalid Policy: A ${before ? "policy with name" : "Policy with Name"} ${JSON.stringify(text)} already exists`,
    );
  if (!isParsed(String(Rules)))
    throw serverError("Failed to parse ACL rules: object expected closing RBRACE got: EOF");
  const ID = before?.ID ?? store.freshId();
  const members = { ID, Name: text, Description, Rules, ...unlessEmpty("Datacenters", Datacenters) };
  return { response: { status: 200, body: store.store(String(ID), members) } };
}

/** True for rules whose braces match. */
function isParsed(rules: string): boolean {
  return rules.split("{").length === rules.split("}").length;
}

/** `/v1/acl/policy` and `/v1/acl/policies`, from Consul's API documentation and the source of Consul 1.22.2. */
export const policyReads: readonly ReadEndpoint[] = [
  {
    method: "GET",
    path: "/v1/acl/policies",
    read(operation) {
      requireAcl(operation, "read");
      const body = new AclStore(operation, "policy").all.map(
        ({ Rules: _, Datacenters = null, ...listed }) => ({
          ...listed,
          Datacenters,
        }),
      );
      return { body, stamp: JSON.stringify(body) };
    },
  },
  {
    method: "GET",
    path: "/v1/acl/policy/:id",
    read(operation) {
      requireAcl(operation, "read");
      return shown(new AclStore(operation, "policy").byId(operation.request.params.id ?? ""), "policy");
    },
  },
  {
    method: "GET",
    path: "/v1/acl/policy/name/:name*",
    read(operation) {
      requireAcl(operation, "read");
      return shown(new AclStore(operation, "policy").byName(operation.request.params.name), "policy");
    },
  },
];

export const policyWrites: readonly WriteEndpoint[] = [
  { method: "PUT", path: "/v1/acl/policy", write },
  { method: "PUT", path: "/v1/acl/policy/:id", write },
  {
    method: "DELETE",
    path: "/v1/acl/policy/:id",
    write(operation) {
      requireAcl(operation, "write");
      return new AclStore(operation, "policy").delete(operation.request.params.id ?? "");
    },
  },
];
