import { refuseOthers } from "./acl-policies";
import { invalid, notFound, serverError } from "./errors";
import { descriptionErrors, NAME, roleShape, stored, withPrefix } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { errorsText } from "./validation/errors";

const section = "API: ACL roles of Nomad";

/** `/v1/acl/roles` and `/v1/acl/role`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const aclRoleEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/acl/roles", section, handle: listRoles },
  { method: "GET", path: "/acl/role/:id", section, handle: readRole },
  { method: "GET", path: "/acl/role/name/:name", section, handle: readRole },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/acl/role", section, handle: writeRole },
    { method, path: "/acl/role/:id", section, handle: writeRole },
  ]),
  { method: "DELETE", path: "/acl/role/:id", section, handle: deleteRole },
];

function listRoles(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  return { body: withPrefix(request, world.aclRoles.values(), "ID"), index: world.indexOf("acl_roles") };
}

function readRole(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const { id, name } = request.params;
  const found = [...world.aclRoles.values()].find((role) => role.ID === id || role.Name === name);
  if (found === undefined) throw notFound("ACL role not found", world.indexOf("acl_roles"));
  return { body: found, index: found.ModifyIndex };
}

/** Creates a role without an ID, or replaces the role with this ID. There is no check-and-set. */
function writeRole(operation: Operation): Outcome {
  const { world, request, identifiers } = operation;
  const given = readBody(operation, "ACLRole", roleShape);
  const { ID: id = "", Name: name = "", Description, Policies = [] } = given;
  if (request.params.id !== undefined && request.params.id !== id)
    throw invalid("ACL role ID does not match request path");
  refuseOthers(operation);
  const errors = [
    ...(NAME.test(name) ? [] : [`invalid name '${name}'`]),
    ...descriptionErrors(Description),
    ...(Policies.length === 0 ? ["at least one policy should be specified"] : []),
  ];
  if (errors.length > 0) throw invalid(`role 0 invalid: ${errorsText(errors)}`);
  const before = world.aclRoles.get(id);
  const others = [...world.aclRoles.values()].filter((role) => role.ID !== id);
  if (id === "" && others.some((role) => role.Name === name))
    throw invalid(`role with name ${name} already exists`);
  if (id !== "" && before === undefined) throw invalid(`cannot find role ${id}`);
  const names = [...new Set(Policies.map((policy) => policy.Name ?? ""))];
  for (const policy of names)
    if (!world.aclPolicies.has(policy)) throw invalid(`cannot find policy ${policy}`);
  const index = world.write("acl_roles");
  const full = roleShape.fill({
    ...given,
    ID: id || identifiers.fresh(),
    Policies: names.map((policy) => ({ Name: policy })),
  });
  const role = stored(full, before, index);
  world.aclRoles.set(role.ID, role);
  return { body: role, index };
}

function deleteRole(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  if (!world.aclRoles.delete(request.params.id ?? "")) throw serverError("ACL role not found");
  const index = world.write("acl_roles");
  return { body: undefined, index };
}
