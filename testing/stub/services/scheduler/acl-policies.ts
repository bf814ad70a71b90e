import { invalid, notFound, permissionError } from "./errors";
import { descriptionErrors, NAME, policyShape, stored, withPrefix } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { errorsText } from "./validation/errors";

const section = "API: ACL policies of Nomad";

/** `/v1/acl/policies` and `/v1/acl/policy`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const aclPolicyEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/acl/policies", section, handle: listPolicies },
  { method: "GET", path: "/acl/policy/:name", section, handle: readPolicy },
  ...(["POST", "PUT"] as const).map(
    (method): Endpoint => ({ method, path: "/acl/policy/:name", section, handle: writePolicy }),
  ),
  { method: "DELETE", path: "/acl/policy/:name", section, handle: deletePolicy },
];

/** Only a management token may use policies and roles, and only if ACLs are enabled. */
export function refuseOthers({ caller, switches }: Operation): void {
  if (!switches.acl) throw invalid("ACL support disabled");
  if (!caller.isManagement) throw permissionError();
}

function listPolicies(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const body = withPrefix(request, world.aclPolicies.values(), "Name").map(
    ({ Rules: _, ...listed }) => listed,
  );
  return { body, index: world.indexOf("acl_policy") };
}

function readPolicy(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const found = world.aclPolicies.get(request.params.name ?? "");
  if (found === undefined) throw notFound("ACL policy not found", world.indexOf("acl_policy"));
  return { body: { ...found, RulesJSON: { Raw: found.Rules } }, index: found.ModifyIndex };
}

/** Replaces the complete policy. There is no check-and-set. */
function writePolicy(operation: Operation): Outcome {
  const { world, request } = operation;
  const given = readBody(operation, "ACLPolicy", policyShape);
  const { Name: name = "", Description, Rules = "", JobACL } = given;
  if (request.params.name !== name) throw invalid("ACL policy name does not match request path");
  refuseOthers(operation);
  const errors = [
    ...(NAME.test(name) ? [] : [`invalid name '${name}'`]),
    ...(Rules === "" || /\w[^{=]*[{=]/.test(Rules)
      ? []
      : [`failed to parse rules: Invalid policy: ${Rules}`]),
    ...descriptionErrors(Description),
    ...(JobACL?.JobID && !JobACL.Namespace ? ["namespace must be set to set job ID"] : []),
    ...(JobACL?.Group && !JobACL.JobID ? ["job ID must be set to set group"] : []),
    ...(JobACL?.Task && !JobACL.Group ? ["group must be set to set task"] : []),
  ];
  if (errors.length > 0) throw invalid(`policy 0 invalid: ${errorsText(errors)}`);
  const before = world.aclPolicies.get(name);
  const index = world.write("acl_policy");
  world.aclPolicies.set(name, stored(policyShape.fill(given), before, index));
  return { body: undefined, index };
}

/** The delete of an absent policy succeeds. */
function deletePolicy(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  world.aclPolicies.delete(request.params.name ?? "");
  const index = world.write("acl_policy");
  return { body: undefined, index };
}
