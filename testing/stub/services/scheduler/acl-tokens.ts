import { refuseOthers } from "./acl-policies";
import { invalid, notFound } from "./errors";
import { durationOf } from "./node-pools";
import { type AclToken, stored, tokenShape, withPrefix } from "./objects";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { durationText, errorsText } from "./validation/errors";

const section = "API: ACL tokens of Nomad";

/** `/v1/acl/tokens` and `/v1/acl/token`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const aclTokenEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/acl/tokens", section, handle: listTokens },
  { method: "GET", path: "/acl/token/:accessor", section, handle: readToken },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/acl/token", section, handle: writeToken },
    { method, path: "/acl/token/:accessor", section, handle: writeToken },
  ]),
  { method: "DELETE", path: "/acl/token/:accessor", section, handle: deleteToken },
];

function listTokens(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const tokens = withPrefix(request, world.aclTokens.values(), "AccessorID");
  const body = tokens
    .sort((one, other) => one.CreateIndex - other.CreateIndex)
    .map(({ SecretID: _, ExpirationTTL: __, ...listed }) => listed);
  return { body, index: world.indexOf("acl_token") };
}

function readToken(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const found = world.aclTokens.get(request.params.accessor ?? "");
  if (found === undefined) throw notFound("ACL token not found", world.indexOf("acl_token"));
  return { body: withNames(operation, found), index: found.ModifyIndex };
}

/** Creates a token without an accessor ID, or replaces the token with this ID. There is no check-and-set. */
function writeToken(operation: Operation): Outcome {
  const { world, request, identifiers, now } = operation;
  const given = tokenShape.fill(readBody(operation, "ACLToken", tokenShape));
  if (request.params.accessor !== undefined && request.params.accessor !== given.AccessorID)
    throw invalid("ACL token accessor does not match request path");
  refuseOthers(operation);
  const before = world.aclTokens.get(given.AccessorID);
  if (given.AccessorID !== "" && before === undefined) throw invalid(`cannot find token ${given.AccessorID}`);
  const lifetime = durationOf(given.ExpirationTTL) / MS;
  const CreateTime = before?.CreateTime ?? timeText(now);
  const asGiven = typeof given.ExpirationTime === "string" ? given.ExpirationTime : null;
  const isNew = before === undefined;
  const ExpirationTime = isNew ? (lifetime === 0 ? null : timeText(now + lifetime)) : asGiven;
  const errors = [
    ...typeErrors(given),
    ...(isNew ? lifetimeErrors(lifetime) : changeErrors(given, before, { lifetime, asGiven })),
  ];
  if (errors.length > 0) throw invalid(`token 0 invalid: ${errorsText(errors)}`);
  const Roles = given.Roles?.map(({ ID, Name }) => {
    const role = [...world.aclRoles.values()].find((one) => (ID === "" ? one.Name === Name : one.ID === ID));
    if (role === undefined) throw invalid(`cannot find role ${ID || Name}`);
    return { ID: role.ID, Name: "" };
  });
  const index = world.write("acl_token");
  const token = stored(
    {
      ...given,
      AccessorID: given.AccessorID || identifiers.fresh(),
      SecretID: before?.SecretID ?? identifiers.fresh(),
      Roles: Roles?.filter(({ ID }, at) => Roles.findIndex((role) => role.ID === ID) === at) ?? null,
      CreateTime,
      ExpirationTime,
      ExpirationTTL: lifetime === 0 ? "" : durationText(lifetime * MS),
    },
    before,
    index,
  );
  world.aclTokens.set(token.AccessorID, token);
  return { body: withNames(operation, token), index };
}

function deleteToken(operation: Operation): Outcome {
  refuseOthers(operation);
  const { world, request } = operation;
  const accessor = request.params.accessor ?? "";
  if (!world.aclTokens.delete(accessor)) throw invalid(`Cannot delete nonexistent tokens: ${accessor}`);
  const index = world.write("acl_token");
  return { body: undefined, index };
}

/** Nanoseconds in a millisecond. */
const MS = 1e6;

type Given = ReturnType<typeof tokenShape.fill>;

function typeErrors({ Name, Type, Policies, Roles }: Given): string[] {
  const isBare = (Policies ?? []).length === 0 && (Roles ?? []).length === 0;
  return [
    ...(Buffer.byteLength(Name) > 256 ? ["token name too long"] : []),
    ...(Type === "client" && isBare ? ["client token missing policies or roles"] : []),
    ...(Type === "management" && !isBare
      ? ["management token cannot be associated with policies or roles"]
      : []),
    ...(Type === "client" || Type === "management" ? [] : ["token type must be client or management"]),
  ];
}

/** By default, a token is valid for 1 minute to 24 hours. */
function lifetimeErrors(lifetime: number): string[] {
  if (lifetime === 0) return [];
  const was = `in the future (was ${durationText(lifetime * MS)})`;
  if (lifetime > 86_400_000) return [`expiration time cannot be more than 24h0m0s ${was}`];
  return lifetime < 60_000 ? [`expiration time cannot be less than 1m0s ${was}`] : [];
}

function changeErrors(
  { Global }: Given,
  before: AclToken,
  { lifetime, asGiven }: { readonly lifetime: number; readonly asGiven: string | null },
): string[] {
  return [
    ...(Global === before.Global ? [] : ["cannot toggle global mode"]),
    ...(lifetime === durationOf(before.ExpirationTTL) / MS ? [] : ["cannot update expiration TTL"]),
    ...(asGiven === null || asGiven === before.ExpirationTime ? [] : ["cannot update expiration time"]),
  ];
}

/** A token with the current names of its roles. A deleted role is no longer part of it. */
function withNames({ world }: Operation, token: AclToken): AclToken {
  if (token.Roles === null) return token;
  const Roles = token.Roles.flatMap(({ ID }) => {
    const role = world.aclRoles.get(ID);
    return role === undefined ? [] : [{ ID, Name: role.Name }];
  });
  return { ...token, Roles };
}

const timeText = (now: number) => new Date(now).toISOString();
