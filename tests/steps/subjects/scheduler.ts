import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import aclPolicy from "../../../provider/services/scheduler/aclPolicy";
import aclRole from "../../../provider/services/scheduler/aclRole";
import aclToken from "../../../provider/services/scheduler/aclToken";
import namespace from "../../../provider/services/scheduler/namespace";
import nodePool from "../../../provider/services/scheduler/nodePool";
import variable from "../../../provider/services/scheduler/variable";
import type { Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { change, type Members, read, schedulerWorld, take, write } from "./schedulerScene";

const metas = fc.dictionary(fc.constantFrom("team", "cost centre", "Name"), fc.constantFrom("", "web"));
const drivers = fc.subarray(["docker", "exec", "raw_exec"], { minLength: 1 });
const capabilities = fc
  .record({ enabledTaskDrivers: maybe(drivers), disabledNetworkModes: maybe(fc.constant(["host"])) })
  .map(defined);

/** The namespace `web`. */
export const namespaceSubject: Subject = {
  definition: namespace,
  world: () => schedulerWorld(namespace),
  programs: fc
    .record({
      name: fc.constant("web"),
      description: maybe(fc.constantFrom("", "for the web team")),
      meta: maybe(metas),
      requiredExtraClaims: maybe(metas),
      optionalExtraClaims: maybe(metas),
      capabilities: maybe(capabilities),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("meta"), value: metas }),
    fc.record({ property: fc.constant("capabilities"), value: capabilities }),
  ),
  edit: (world, _resource, { property, value }) =>
    change(
      world,
      "/v1/namespace/web",
      pascal(property),
      property === "capabilities" ? inPascal(value) : value,
    ),
  takeAway: (world) => take(world, "/v1/namespace/web"),
  createTakes: () => ["GET", "POST", "GET"],
};

const items = fc.dictionary(
  fc.constantFrom("user", "key", "Vault", "a b"),
  fc.constantFrom("", "v-4711-alpha", "v-4711-beta"),
  {
    minKeys: 1,
  },
);

/** The variable `nomad/jobs/web` of the namespace `default`. */
export const variableSubject: Subject = {
  definition: variable,
  world: () => schedulerWorld(variable),
  programs: fc.record({ path: fc.constant("nomad/jobs/web"), items }),
  edits: fc.record({ property: fc.constant("items"), value: items }),
  edit: (world, _resource, { value }) => change(world, "/v1/var/nomad/jobs/web", "Items", value),
  takeAway: (world) => take(world, "/v1/var/nomad/jobs/web"),
  createTakes: () => ["POST"],
};

/** The node pool `gpu`. */
export const nodePoolSubject: Subject = {
  definition: nodePool,
  world: () => schedulerWorld(nodePool),
  programs: fc
    .record({
      name: fc.constant("gpu"),
      description: maybe(fc.constantFrom("", "with accelerators")),
      meta: maybe(metas),
      nodeIdentityTtl: maybe(fc.constantFrom<Json>("12h", "1h30m", 43_200_000_000_000)),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("meta"), value: metas }),
    fc.record({
      property: fc.constant("nodeIdentityTtl"),
      value: fc.constantFrom(3_600_000_000_000, 43_200_000_000_000),
    }),
  ),
  edit: (world, _resource, { property, value }) =>
    change(
      world,
      "/v1/node/pool/gpu",
      property === "nodeIdentityTtl" ? "NodeIdentityTTL" : pascal(property),
      value,
    ),
  takeAway: (world) => take(world, "/v1/node/pool/gpu"),
  createTakes: () => ["GET", "POST", "GET"],
};

const rules = (policy: string) => `namespace "default" {\n  policy = "${policy}"\n}\n`;
const jobAcls = fc
  .record({ namespace: fc.constantFrom("default", "shop"), jobId: maybe(fc.constantFrom("web", "api")) })
  .map(defined);

/** The ACL policy `app`. */
export const aclPolicySubject: Subject = {
  definition: aclPolicy,
  world: () => schedulerWorld(aclPolicy),
  programs: fc
    .record({
      name: fc.constant("app"),
      description: maybe(fc.constantFrom("", "of the app")),
      rules: fc.constantFrom(rules("read"), rules("write"), rules("write").trim()),
      jobAcl: maybe(jobAcls),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("rules"), value: fc.constantFrom(rules("deny"), rules("write")) }),
    fc.record({ property: fc.constant("jobAcl"), value: jobAcls }),
  ),
  edit: (world, _resource, { property, value }) =>
    property === "jobAcl"
      ? change(world, "/v1/acl/policy/app", "JobACL", jobAclOf(value as Members))
      : change(world, "/v1/acl/policy/app", pascal(property), value),
  takeAway: (world) => take(world, "/v1/acl/policy/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

const policyNames = fc.subarray(["read", "write", "deny"], { minLength: 1 });

/** The ACL role `app`. */
export const aclRoleSubject: Subject = {
  definition: aclRole,
  async world() {
    const world = await schedulerWorld(aclRole);
    for (const name of ["read", "write", "deny"])
      await write(world, `/v1/acl/policy/${name}`, { Name: name, Rules: rules(name) });
    return world;
  },
  programs: fc
    .record({
      name: fc.constant("app"),
      description: maybe(fc.constantFrom("", "of the app")),
      policies: policyNames,
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("policies"), value: policyNames }),
  ),
  edit: async (world, _resource, { property, value }) =>
    change(
      world,
      await rolePath(world),
      pascal(property),
      property === "policies" ? (value as string[]).map((Name) => ({ Name })) : value,
    ),
  takeAway: async (world) => take(world, await rolePath(world)),
  createTakes: () => ["GET", "POST"],
};

/** The path of the role, by its ID. */
const rolePath = async (world: World) =>
  `/v1/acl/role/${String((await read(world, "/v1/acl/role/name/app")).ID)}`;

const jobAclOf = ({ namespace = "", jobId = "" }: Members): Json => ({ Namespace: namespace, JobID: jobId });

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** An object with the service's names. */
function inPascal(value: Json): Json {
  return Object.fromEntries(Object.entries(value as Members).map(([name, member]) => [pascal(name), member]));
}

const tokenPath = async (world: World) => {
  const tokens = (await read(world, "/v1/acl/tokens")) as unknown as readonly Members[];
  const token = tokens.find(({ Name }) => Name === "deploy");
  return `/v1/acl/token/${String(token?.AccessorID)}`;
};

const sortedNames = fc.subarray(["deny", "read", "write"], { minLength: 1 });

/** The token `deploy`. */
export const aclTokenSubject: Subject = {
  definition: aclToken,
  world: () => schedulerWorld(aclToken),
  programs: fc
    .record({
      name: fc.constant("deploy"),
      type: fc.constant("client"),
      policies: sortedNames,
      global: maybe(fc.constant(false)),
      expirationTtl: fc.constant("1h"),
    })
    .map(defined),
  edits: fc.record({
    property: fc.constant("policies"),
    value: fc.constantFrom<Json>(["theirs"], ["read", "theirs"]),
  }),
  edit: async (world, _resource, { property, value }) => {
    const path = await tokenPath(world);
    const token = (await read(world, path)) as Members;
    await write(world, path, { ...token, Type: "client", [pascal(property)]: value } as Json);
  },
  takeAway: async (world) => take(world, await tokenPath(world)),
  createTakes: () => ["GET", "POST"],
};
