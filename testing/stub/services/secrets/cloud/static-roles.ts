import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import type { FurtherFields } from "../further-field";
import { answer, answerKeys, type Endpoint, NO_CONTENT } from "../operation";
import { type CloudOperation, newAccessKey } from "./operation";
import type { CloudStaticRole } from "./records";

/** Static roles, whose IAM user already exists outside Vault, and their current credentials. */
export const staticRoleEndpoints: readonly Endpoint<CloudOperation>[] = [
  { path: "static-roles", list: (operation) => answerKeys(operation, operation.data.staticRoles) },
  {
    path: "static-roles/:name",
    parameters: ["username", "rotation_period"],
    further: ({ edition }) => ({ ...FURTHER, ...(edition === "community" && COMMUNITY) }),
    read,
    write,
    remove,
  },
  { path: "static-creds/:name", read: readCredentials },
];

/**
 * Responds 200 with the role. "On creation a new credential is made". A different user is rejected. A
 * changed period schedules the next rotation for now plus the period.
 */
function write(operation: CloudOperation): StubResponse {
  const { params, fields, data, request, randomness } = operation;
  const name = params.name ?? "";
  const before = data.staticRoles.get(name);
  const username = fields.string("username") ?? before?.username ?? "";
  if (username === "") throw invalid("missing required field: username");
  if (before !== undefined && username !== before.username)
    throw serverError("AWS GetUser returned a user, but the ID did not match");
  const period = fields.duration("rotation_period") ?? before?.rotationPeriod;
  if (period === undefined) throw invalid("missing required field: rotation_period");
  if (period < 60) throw invalid("rotation_period must be at least 1 minute");
  const isRescheduled = before === undefined || fields.has("rotation_period");
  const role: CloudStaticRole = {
    ...(before ?? newAccessKey(randomness)),
    name,
    username,
    rotationPeriod: period,
    nextRotation: isRescheduled ? request.now + period * 1000 : before.nextRotation,
  };
  data.staticRoles.set(name, role);
  return answer(operation, render(role));
}

function read(operation: CloudOperation): StubResponse {
  return answer(operation, render(theRole(operation)));
}

function remove({ params, data }: CloudOperation): StubResponse {
  data.staticRoles.delete(params.name ?? "");
  return NO_CONTENT;
}

/** The current keys, rotated as the mock server's clock advances. */
function readCredentials(operation: CloudOperation): StubResponse {
  const { request, randomness, data } = operation;
  const role = theRole(operation);
  const periods = Math.floor((request.now - role.nextRotation) / (role.rotationPeriod * 1000)) + 1;
  if (periods < 1) return answer(operation, { access_key: role.accessKey, secret_key: role.secretKey });
  const rotated = {
    ...role,
    ...newAccessKey(randomness),
    nextRotation: role.nextRotation + periods * role.rotationPeriod * 1000,
  };
  data.staticRoles.set(role.name, rotated);
  return answer(operation, { access_key: rotated.accessKey, secret_key: rotated.secretKey });
}

function theRole({ params, data }: CloudOperation): CloudStaticRole {
  const role = data.staticRoles.get(params.name ?? "");
  if (role === undefined) throw absent();
  return role;
}

function render({ name, username, rotationPeriod }: CloudStaticRole): object {
  return { name, username, rotation_period: rotationPeriod };
}

/** Fields of newer releases: a write that omits them leaves them unchanged, and AWS assigns `id`. */
const FURTHER: FurtherFields = {
  assume_role_arn: { kind: "writable", initially: "" },
  assume_role_session_name: { kind: "writable", initially: "" },
  external_id: { kind: "writable", initially: "" },
  id: { kind: "read-only", initially: "AIDAEXAMPLE" },
};

/** Roles in other accounts: the Community Edition shows these fields, and ignores their values. */
const COMMUNITY: FurtherFields = {
  assume_role_arn: { kind: "read-only", initially: "" },
  assume_role_session_name: { kind: "read-only", initially: "" },
  external_id: { kind: "read-only", initially: "" },
};
