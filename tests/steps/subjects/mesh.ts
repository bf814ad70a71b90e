import fc from "fast-check";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import aclPolicy from "../../../provider/services/mesh/aclPolicy";
import aclRole from "../../../provider/services/mesh/aclRole";
import aclToken from "../../../provider/services/mesh/aclToken";
import keyValue from "../../../provider/services/mesh/keyValue";
import type { Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { type Members, meshWorld, read, take, write } from "./meshScene";

const AT = "/v1/kv/apps/web";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const value = fc.constantFrom<Json>("", "on", "größer\n", '{"a":1}', { base64: "/w==" }, { base64: "b24=" });

/** The key `apps/web`. */
export const keyValueSubject: Subject = {
  definition: keyValue,
  world: () => meshWorld(keyValue),
  programs: fc
    .record({
      key: fc.constant("apps/web"),
      value,
      flags: maybe(fc.constantFrom(0, 7, 4_294_967_296)),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({
      property: fc.constant("value"),
      value: fc.constantFrom<Json>("by hand", "", { base64: "/w==" }),
    }),
    fc.record({ property: fc.constant("flags"), value: fc.constantFrom(0, 42) }),
  ),
  async edit(world, _resource, { property, value: given }) {
    // Consul returns a list with one entry.
    const [{ Value, Flags } = {}] = (await read(world, AT)) as Members[];
    const text = typeof given === "string" ? base64(given) : (given as Members).base64;
    await setKey(world, property === "value" ? { Value: text ?? "", Flags } : { Value, Flags: given });
  },
  takeAway: (world) => take(world, AT),
  createTakes: () => ["GET", "PUT", "GET"],
};

async function setKey(world: World, members: { readonly [member: string]: Json | undefined }): Promise<void> {
  await write(world, "/v1/txn", [{ KV: { Verb: "set", Key: "apps/web", ...(members as Members) } }]);
}

const rules = (level: string) => `key_prefix "app/" {\n  policy = "${level}"\n}\n`;
const description = fc.constantFrom("", "of the app");
const datacenters = fc.subarray(["dc1", "dc2"]);

/** The ACL policy `app`. */
export const aclPolicySubject: Subject = {
  definition: aclPolicy,
  world: () => meshWorld(aclPolicy),
  programs: fc
    .record({
      name: fc.constant("app"),
      description: maybe(description),
      rules: fc.constantFrom("", rules("read"), rules("write"), rules("write").trim()),
      datacenters: maybe(datacenters),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("rules"), value: fc.constantFrom(rules("deny"), rules("write")) }),
    fc.record({ property: fc.constant("datacenters"), value: datacenters }),
  ),
  edit: (world, _resource, { property, value: given }) => changeAcl(world, "policy", property, given),
  takeAway: (world) => takeAcl(world, "policy"),
  createTakes: () => ["GET", "PUT"],
};

const policyNames = fc.subarray(["read", "write", "deny"]);
const serviceIdentities = fc.constantFrom<Json>(
  [],
  [{ serviceName: "web" }],
  [{ serviceName: "web", datacenters: ["dc2", "dc1"] }, { serviceName: "api" }],
);
const nodeIdentities = fc.constantFrom<Json>([], [{ nodeName: "n1", datacenter: "dc1" }]);
const templatedPolicies = fc.constantFrom<Json>(
  [],
  [{ templateName: "builtin/dns" }],
  [{ templateName: "builtin/service", templateVariables: { name: "web" }, datacenters: ["dc1"] }],
);

/** The ACL role `app`. */
export const aclRoleSubject: Subject = {
  definition: aclRole,
  world: () => worldWithPolicies(aclRole),
  programs: fc
    .record({
      name: fc.constant("app"),
      description: maybe(description),
      policies: maybe(policyNames),
      serviceIdentities: maybe(serviceIdentities),
      nodeIdentities: maybe(nodeIdentities),
      templatedPolicies: maybe(templatedPolicies),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("policies"), value: policyNames }),
    fc.record({ property: fc.constant("serviceIdentities"), value: serviceIdentities }),
    fc.record({ property: fc.constant("templatedPolicies"), value: templatedPolicies }),
  ),
  edit: (world, _resource, { property, value: given }) => changeAcl(world, "role", property, given),
  takeAway: (world) => takeAcl(world, "role"),
  createTakes: () => ["GET", "PUT"],
};

const ACCESSOR = "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a10";
const TOKEN_AT = `/v1/acl/token/${ACCESSOR}`;

/** A token. */
export const aclTokenSubject: Subject = {
  definition: aclToken,
  async world() {
    const world = await worldWithPolicies(aclToken);
    for (const Name of ["one", "two"]) await write(world, "/v1/acl/role", { Name });
    return world;
  },
  programs: fc
    .record({
      accessorId: fc.constant(ACCESSOR),
      description: maybe(description),
      policies: maybe(policyNames),
      roles: maybe(fc.subarray(["one", "two"])),
      serviceIdentities: maybe(fc.constantFrom<Json>([], [{ serviceName: "web" }])),
      templatedPolicies: maybe(fc.constantFrom<Json>([], [{ templateName: "builtin/dns" }])),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("description"), value: fc.constantFrom("by hand", "") }),
    fc.record({ property: fc.constant("policies"), value: policyNames }),
    fc.record({ property: fc.constant("roles"), value: fc.subarray(["one", "two"]) }),
  ),
  async edit(world, _resource, { property, value: given }) {
    // Consul returns an object.
    const own = (await read(world, TOKEN_AT)) as Members;
    const { Description = "", Policies = null, Roles = null, ServiceIdentities = null } = own;
    const { TemplatedPolicies = null } = own;
    const links = Array.isArray(given) ? given.map((Name) => ({ Name })) : given;
    const body = { Description, Policies, Roles, ServiceIdentities, TemplatedPolicies };
    await write(world, TOKEN_AT, { ...body, [pascal(property)]: links });
  },
  takeAway: (world) => take(world, TOKEN_AT),
  createTakes: () => ["GET", "PUT"],
};

/** A world with the policies that roles and tokens refer to. */
async function worldWithPolicies(definition: Definition): Promise<World> {
  const world = await meshWorld(definition);
  for (const name of ["read", "write", "deny"])
    await write(world, "/v1/acl/policy", { Name: name, Rules: rules(name) });
  return world;
}

/** Changes one property of the object `app` as another user. */
async function changeAcl(world: World, kind: string, property: string, given: Json): Promise<void> {
  // Consul returns an object.
  const {
    ID,
    Hash: _,
    CreateIndex: __,
    ModifyIndex: ___,
    Namespace: ____,
    Partition: _____,
    ...own
  } = (await read(world, `/v1/acl/${kind}/name/app`)) as Members;
  const isLinks = property === "policies";
  const changed = isLinks ? (given as string[]).map((Name) => ({ Name })) : inPascal(given);
  await write(world, `/v1/acl/${kind}/${String(ID)}`, { ...own, [pascal(property)]: changed });
}

async function takeAcl(world: World, kind: string): Promise<void> {
  const { ID } = (await read(world, `/v1/acl/${kind}/name/app`)) as Members;
  await take(world, `/v1/acl/${kind}/${String(ID)}`);
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A value with the service's names. */
function inPascal(given: Json): Json {
  if (Array.isArray(given)) return given.map(inPascal);
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(
    Object.entries(given as Members).map(([name, member]) => [pascal(name), inPascal(member)]),
  );
}
