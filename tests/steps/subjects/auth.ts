import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import appRole from "../../../provider/services/secrets/appRole";
import userpassUser from "../../../provider/services/secrets/userpassUser";
import type { Subject } from "../subject";
import { defined, maybe } from "./arbitraries";
import { secretsWorld, take, wireOf, write } from "./secretsScene";

/** The settings of tokens, and other users' edits of them. */
const tokens = {
  tokenPolicies: maybe(fc.constantFrom(["app"], ["app", "web"], ["web", "app"], [])),
  tokenTtl: maybe(fc.constantFrom<Json>(0, "1h", 3600, "30m")),
  tokenMaxTtl: maybe(fc.constantFrom<Json>("24h", 86_400, 0)),
  tokenNumUses: maybe(fc.constantFrom(0, 3)),
  tokenType: maybe(fc.constantFrom("default", "service")),
  tokenBoundCidrs: maybe(fc.constantFrom(["10.0.0.1/32"], ["10.0.0.1"], ["10.0.0.0/8", "FE80::/10"])),
  tokenNoDefaultPolicy: maybe(fc.boolean()),
};
const edits = fc.oneof(
  fc.record({
    property: fc.constant("tokenPolicies"),
    value: fc.constantFrom<Json>(["theirs"], ["web", "app"], []),
  }),
  fc.record({ property: fc.constant("tokenMaxTtl"), value: fc.constantFrom(86_400, 172_800, 0) }),
  fc.record({ property: fc.constant("tokenBoundCidrs"), value: fc.constantFrom<Json>(["10.0.0.1"], []) }),
);

/** The user `app` of the userpass auth method. */
export const userpassUserSubject: Subject = {
  definition: userpassUser,
  world: () => secretsWorld(userpassUser),
  programs: fc
    .record({
      username: fc.constant("app"),
      password: fc.constantFrom("password-1", "password-2"),
      tokenPeriod: maybe(fc.constantFrom<Json>(0, "1h")),
      tokenExplicitMaxTtl: maybe(fc.constantFrom<Json>("48h", 0)),
      ...tokens,
    })
    .map(defined),
  edits,
  edit: async (world, _resource, { property, value }) => {
    await write(world, "auth/userpass/users/app", { [wireOf(property)]: value });
  },
  takeAway: (world) => take(world, "auth/userpass/users/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

/** The role `app` of the AppRole auth method. */
export const appRoleSubject: Subject = {
  definition: appRole,
  world: () => secretsWorld(appRole),
  programs: fc
    .record({
      roleName: fc.constant("app"),
      secretIdBoundCidrs: maybe(fc.constantFrom(["10.0.0.0/8"], ["10.0.0.0/8", "fe80::/10"], [])),
      secretIdNumUses: maybe(fc.constantFrom(0, 5)),
      secretIdTtl: maybe(fc.constantFrom<Json>("10m", 600, 0)),
      bindSecretId: maybe(fc.constant(true)),
      ...tokens,
    })
    .map(defined),
  edits: fc.oneof(
    edits,
    fc.record({ property: fc.constant("secretIdNumUses"), value: fc.constantFrom(7, 5, 0) }),
  ),
  edit: async (world, _resource, { property, value }) => {
    await write(world, "auth/approle/role/app", { [wireOf(property)]: value });
  },
  takeAway: (world) => take(world, "auth/approle/role/app"),
  createTakes: () => ["GET", "POST", "GET", "GET"],
  refreshTakes: () => 2,
};
