import { parseDuration } from "../../../durations";
import type { Members } from "../../../json";
import { Refusal, serverError } from "../errors";
import type { Operation, ReadEndpoint, WriteEndpoint } from "../operation";
import { IDENTITIES, LINK, storedIdentities, storedLinks, unlessEmpty, withNames } from "./links";
import { type AclObject, AclStore, COMPUTED, type Known, readMembers, requireAcl, UUID } from "./store";

const MEMBERS: Known = {
  AccessorID: null,
  SecretID: null,
  Description: null,
  Policies: LINK,
  Roles: LINK,
  ...IDENTITIES,
  Local: null,
  ExpirationTTL: null,
  ExpirationTime: null,
  CreateTime: null,
  AuthMethod: null,
  ...COMPUTED,
};

const NANOSECONDS = 1e6;
/** The limits of a time to live in milliseconds. */
const [SHORTEST, LONGEST] = [60_000, 86_400_000];

function write(operation: Operation) {
  const given = readMembers(operation, "token", MEMBERS);
  requireAcl(operation, "write");
  const { now } = operation.request;
  const store = new AclStore(operation, "token", given);
  const before = store.toReplace();
  const { Description = "", Local = false, ExpirationTTL: ttl = "", ExpirationTime: time = "" } = given;
  const id = String(before?.AccessorID ?? (given.AccessorID || store.freshId()));
  if (before === undefined && store.byId(id) !== undefined)
    throw serverError("Invalid Token: AccessorID is already in use");
  if (before === undefined) requireCreatable(given);
  else requireUpdatable(before, given, id);
  const lasts = before === undefined ? lifetimeOf(given, now) : undefined;
  if (lasts !== undefined && (lasts < SHORTEST || lasts > LONGEST))
    throw serverError(
      `ExpirationTime cannot be ${lasts < SHORTEST ? "less than 1m0s" : "more than 24h0m0s"} in the future (was ${ttl || time})`,
    );
  const expires = before?.ExpirationTime ?? (lasts && new Date(now + lasts).toISOString());
  const roles = storedLinks(operation, "role", given);
  const policies = storedLinks(operation, "policy", given);
  const members = {
    AccessorID: id,
    SecretID: before?.SecretID ?? (given.SecretID || store.freshId(" secret")),
    Description,
    ...unlessEmpty("Policies", policies),
    ...unlessEmpty("Roles", roles),
    ...storedIdentities(given, "token"),
    Local,
    ...(expires !== undefined && { ExpirationTime: expires }),
    CreateTime: before?.CreateTime ?? new Date(now).toISOString(),
  };
  return { response: { status: 200, body: withNames(operation, store.store(id, members)) } };
}

/** The time until a new token expires, in milliseconds; undefined if it does not expire. */
function lifetimeOf({ ExpirationTTL: ttl = "", ExpirationTime: time = "" }: Members, now: number) {
  if (ttl !== "") return (parseDuration(String(ttl)) ?? 0) / NANOSECONDS;
  return time === "" || time === null ? undefined : Date.parse(String(time)) - now;
}

function requireCreatable({
  AccessorID,
  SecretID,
  ExpirationTTL,
  ExpirationTime,
  AuthMethod,
}: Members): void {
  for (const [name, id] of Object.entries({ AccessorID, SecretID }))
    if (id && !UUID.test(String(id))) throw serverError(`Invalid Token: ${name} - not a valid UUID`);
  if (ExpirationTTL && ExpirationTime)
    throw serverError("Token Expiration TTL and Expiration Time cannot both be set");
  if (AuthMethod) throw serverError("AuthMethod field is disallowed outside of login");
}

function requireUpdatable(
  before: AclObject,
  given: { readonly [member: string]: unknown },
  id: string,
): void {
  const { SecretID: secret = "", Local = false, ExpirationTTL: ttl = "", ExpirationTime: time } = given;
  if (secret !== "" && secret !== before.SecretID)
    throw serverError("Changing a token's SecretID is not permitted");
  if (Local !== before.Local) throw serverError(`Cannot toggle local mode of ${id}`);
  if (ttl !== "" || (time !== undefined && time !== before.ExpirationTime))
    throw serverError(`Cannot change expiration time of ${id}`);
}

/** Consul deletes an expired token. */
const isThere = ({ request }: Operation, { ExpirationTime: end }: AclObject) =>
  typeof end !== "string" || Date.parse(end) > request.now;

/** `/v1/acl/token` and `/v1/acl/tokens`, from Consul's API documentation and the source of Consul 1.22.2. */
export const tokenReads: readonly ReadEndpoint[] = [
  {
    method: "GET",
    path: "/v1/acl/tokens",
    read(operation) {
      requireAcl(operation, "read");
      const body = new AclStore(operation, "token").all
        .filter((token) => isThere(operation, token))
        .map((token) => shownToken(operation, token));
      return { body, stamp: JSON.stringify(body) };
    },
  },
  {
    method: "GET",
    path: "/v1/acl/token/:id",
    read(operation) {
      requireAcl(operation, "read");
      const found = new AclStore(operation, "token").byId(operation.request.params.id ?? "");
      if (found === undefined || !isThere(operation, found))
        throw new Refusal(403, "token does not exist: ACL not found");
      return { body: shownToken(operation, found), stamp: String(found.ModifyIndex) };
    },
  },
];

/** Only a caller that may write tokens sees their secrets. */
function shownToken(operation: Operation, token: AclObject): AclObject {
  const whole = withNames(operation, token);
  return operation.caller.mayWriteAcl ? whole : { ...whole, SecretID: "<hidden>" };
}

export const tokenWrites: readonly WriteEndpoint[] = [
  { method: "PUT", path: "/v1/acl/token", write },
  { method: "PUT", path: "/v1/acl/token/:id", write },
  {
    method: "DELETE",
    path: "/v1/acl/token/:id",
    write(operation) {
      requireAcl(operation, "write");
      return new AclStore(operation, "token").delete(operation.request.params.id ?? "");
    },
  },
];
