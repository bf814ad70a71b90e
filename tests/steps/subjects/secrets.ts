import fc from "fast-check";
import { parseRecords } from "../../../provider/core/state/records";
import type { Json } from "../../../provider/core/value/json";
import authMethod from "../../../provider/services/secrets/authMethod";
import loginEnforcement from "../../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import mount from "../../../provider/services/secrets/mount";
import passwordPolicy from "../../../provider/services/secrets/passwordPolicy";
import policy from "../../../provider/services/secrets/policy";
import queueLease from "../../../provider/services/secrets/queueLease";
import queueRole from "../../../provider/services/secrets/queueRole";
import { RejectedRequest } from "../rejectedRequest";
import type { Resource } from "../resource";
import type { Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { read, secretsWorld, take, wireOf, write } from "./secretsScene";

const vhostMap = fc.dictionary(
  fc.constantFrom("/", "orders"),
  fc.dictionary(fc.constantFrom("read", "write", "configure"), fc.constantFrom(".*", "^q"), {
    minKeys: 1,
    maxKeys: 2,
  }),
  { minKeys: 1, maxKeys: 2 },
);
const vhosts = fc.oneof(
  vhostMap,
  vhostMap.map((map) => JSON.stringify(map, null, 2)),
);
const tags = fc.constantFrom<Json>(
  "monitoring",
  "monitoring, policymaker",
  ["policymaker", "monitoring"],
  ["management"],
);

/** The role `app` of the RabbitMQ engine at its default mount. */
export const queueRoleSubject: Subject = {
  definition: queueRole,
  world: () => secretsWorld(queueRole),
  programs: fc.oneof(
    fc.record({ name: fc.constant("app"), tags }),
    fc.record({ name: fc.constant("app"), vhosts }),
    fc.record({ name: fc.constant("app"), tags, vhosts }),
    fc.record({
      name: fc.constant("app"),
      tags,
      vhostTopics: fc.constant({ "/": { "amq.topic": { read: ".*" } } }),
    }),
  ),
  edits: fc.oneof(
    fc.record({ property: fc.constant("tags"), value: fc.constantFrom<Json>("administrator", "monitoring") }),
    fc.record({ property: fc.constant("vhosts"), value: vhostMap }),
  ),
  async edit(world, _resource, { property, value }) {
    const role = await read(world, "msgq/roles/app");
    const body = { ...role, [property]: value };
    await write(world, "msgq/roles/app", {
      tags: body.tags ?? "",
      vhosts: JSON.stringify(body.vhosts ?? {}),
      vhost_topics: JSON.stringify(body.vhost_topics ?? {}),
    });
  },
  takeAway: (world) => take(world, "msgq/roles/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

const capability = (name: string) => `path "kv/app/*" {\n  capabilities = ["${name}"]\n}\n`;

/** The mount `teams/web` of a table. */
function mountSubjectOf(definition: typeof mount | typeof authMethod, table: string, type: string): Subject {
  const at = `${table}/teams/web`;
  return {
    definition,
    world: () => secretsWorld(definition),
    programs: fc
      .record({
        path: fc.constant("teams/web"),
        type: fc.constant(type),
        description: maybe(fc.constantFrom("web", "shop", "")),
        defaultLeaseTtl: maybe(fc.constantFrom<Json>("1h", 3600, "30m", 0)),
        maxLeaseTtl: maybe(fc.constantFrom<Json>("24h", 86_400, "0")),
        listingVisibility: maybe(fc.constantFrom("unauth", "hidden")),
        auditNonHmacRequestKeys: maybe(fc.subarray(["common_name", "ttl"])),
        passthroughRequestHeaders: maybe(
          fc.constantFrom(["X-Team"], ["X-Team", "X-Env"], ["X-Env", "X-Team"]),
        ),
      })
      .map(defined),
    edits: fc.oneof(
      fc.record({ property: fc.constant("description"), value: fc.constantFrom("theirs", "web", "") }),
      fc.record({ property: fc.constant("maxLeaseTtl"), value: fc.constantFrom(172_800, 86_400, 0) }),
      fc.record({
        property: fc.constant("listingVisibility"),
        value: fc.constantFrom("unauth", "hidden", ""),
      }),
      fc.record({
        property: fc.constant("passthroughRequestHeaders"),
        value: fc.constantFrom<Json>(["X-Theirs"], ["X-Env", "X-Team"], []),
      }),
    ),
    edit: async (world, _resource, { property, value }) => {
      await write(world, `${at}/tune`, { [wireOf(property)]: value });
    },
    takeAway: (world) => take(world, at),
    createTakes: () => ["GET", "POST", "GET"],
  };
}

export const mountSubject = mountSubjectOf(mount, "sys/mounts", "rabbitmq");
export const authMethodSubject = mountSubjectOf(authMethod, "sys/auth", "userpass");

/** The ACL policy `app`. */
export const policySubject: Subject = {
  definition: policy,
  world: () => secretsWorld(policy),
  programs: fc.record({
    name: fc.constant("app"),
    policy: fc.constantFrom(capability("read"), capability("list"), capability("list").trim()),
  }),
  edits: fc.record({
    property: fc.constant("policy"),
    value: fc.constantFrom(capability("sudo"), capability("list")),
  }),
  async edit(world, _resource, { property, value }) {
    await read(world, "sys/policies/acl/app");
    await write(world, "sys/policies/acl/app", { [property]: value });
  },
  takeAway: (world) => take(world, "sys/policies/acl/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

const passwords = (length: number) => `length = ${length}\nrule "charset" {\n  charset = "abcdefgh"\n}\n`;

/** The password policy `teams/app`. */
export const passwordPolicySubject: Subject = {
  definition: passwordPolicy,
  world: () => secretsWorld(passwordPolicy),
  programs: fc.record({
    name: fc.constant("teams/app"),
    policy: fc.constantFrom(passwords(20), passwords(30), passwords(30).trim()),
  }),
  edits: fc.record({ property: fc.constant("policy"), value: fc.constantFrom(passwords(12), passwords(30)) }),
  async edit(world, _resource, { property, value }) {
    await read(world, "sys/policies/password/teams/app");
    await write(world, "sys/policies/password/teams/app", { [property]: value });
  },
  takeAway: (world) => take(world, "sys/policies/password/teams/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

/** The Okta MFA method `corporate`. */
export const mfaMethodSubject: Subject = {
  definition: mfaMethod,
  world: () => secretsWorld(mfaMethod),
  programs: fc
    .record({
      methodName: fc.constant("corporate"),
      orgName: fc.constantFrom("acme", "acme-eu"),
      apiToken: fc.constantFrom("api-token-1", "api-token-2"),
      usernameFormat: maybe(fc.constantFrom("{{identity.entity.name}}@acme.example", "")),
      baseUrl: maybe(fc.constantFrom("okta.com", "oktapreview.com")),
      primaryEmail: maybe(fc.boolean()),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("baseUrl"), value: fc.constantFrom("okta-emea.com", "okta.com") }),
    fc.record({ property: fc.constant("primaryEmail"), value: fc.boolean() }),
    fc.record({ property: fc.constant("orgName"), value: fc.constantFrom("other", "acme") }),
    fc.record({ property: fc.constant("usernameFormat"), value: fc.constantFrom("x", "") }),
  ),
  async edit(world, resource, { property, value }) {
    const path = await methodPath(world, resource);
    const { org_name, base_url, username_format, primary_email } = await read(world, path);
    const wire = wireOf(property);
    await write(world, path, {
      org_name: org_name ?? "",
      base_url: base_url ?? "okta.com",
      username_format: username_format ?? "",
      primary_email: primary_email ?? false,
      api_token: "a token of theirs",
      [wire]: value,
    });
  },
  takeAway: async (world, resource) => take(world, await methodPath(world, resource)),
  createTakes: () => ["GET", "POST", "GET"],
};

/** The path by the state, or of the only method if the state contains none. */
async function methodPath(world: World, { outputs }: Resource): Promise<string> {
  const at = "identity/mfa/method/extidp";
  const known = parseRecords(outputs)?.address.methodId;
  if (known !== undefined) return `${at}/${known}`;
  const { json } = await world.send("LIST", `/v1/${at}`, undefined, { "x-secrets-token": "root" });
  // The stub answers the keys under `data`.
  const [only] = (json as { data?: { keys: string[] } }).data?.keys ?? [];
  if (only === undefined) throw new RejectedRequest(404, "there is none");
  return `${at}/${only}`;
}

/** The IDs that a fresh stub gives its first two methods. */
export const METHODS = ["7bf71b3e-e29d-13f8-5ab6-00df3684c85b", "2c64d6e1-0ac7-7061-9dc1-4250311dbb7f"];
const selector = (...names: string[]) => maybe(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }));

/** A login enforcement, and two methods that it can require. */
export function loginEnforcementSubjectOf(name: string): Subject {
  const path = `identity/mfa/login-enforcement/${name}`;
  return {
    definition: loginEnforcement,
    async world() {
      const world = await secretsWorld(loginEnforcement);
      for (const [index, method_name] of ["first", "second"].entries()) {
        const body = { method_name, org_name: "acme", api_token: "t" };
        expect(await write(world, "identity/mfa/method/extidp", body)).toMatchObject({
          data: { method_id: METHODS[index] },
        });
      }
      return world;
    },
    programs: fc
      .record({
        name: fc.constant(name),
        mfaMethodIds: fc.uniqueArray(fc.constantFrom(...METHODS), { minLength: 1, maxLength: 2 }),
        authMethodAccessors: selector("auth_userpass_1", "auth_ldap_2"),
        authMethodTypes: selector("userpass", "ldap"),
        identityGroupIds: selector("group-1", "group-2"),
        identityEntityIds: selector("entity-1", "entity-2"),
      })
      .map(defined)
      .filter(
        (inputs) =>
          Object.values(inputs).filter((value) => Array.isArray(value) && value.length > 0).length > 1,
      ),
    edits: fc.oneof(
      fc.record({
        property: fc.constant("authMethodTypes"),
        value: fc.constantFrom<Json>(["userpass"], ["ldap", "userpass"], []),
      }),
      fc.record({
        property: fc.constant("identityEntityIds"),
        value: fc.constantFrom<Json>(["entity-9"], []),
      }),
    ),
    async edit(world, _resource, { property, value }) {
      const { mfa_method_ids } = await read(world, path);
      const wire = wireOf(property);
      await write(world, path, { mfa_method_ids: mfa_method_ids ?? [], [wire]: value });
    },
    takeAway: (world) => take(world, path),
    createTakes: () => ["GET", "POST", "GET"],
  };
}

/** The enforcement `everybody`. */
export const loginEnforcementSubject = loginEnforcementSubjectOf("everybody");

const seconds = fc.constantFrom<Json>(0, 600, "10m", "3600s", "1h");
const longer = fc.constantFrom<Json>(0, 7200, "2h", "86400");

/** The lease configuration of the RabbitMQ engine at its default mount. */
export const queueLeaseSubject: Subject = {
  definition: queueLease,
  world: () => secretsWorld(queueLease),
  programs: fc.record({ ttl: maybe(seconds), maxTtl: maybe(longer) }).map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("ttl"), value: fc.constantFrom(60, 600, 3600) }),
    fc.record({ property: fc.constant("maxTtl"), value: fc.constantFrom(7200, 10_000) }),
  ),
  async edit(world, _resource, { property, value }) {
    const lease = await read(world, "msgq/config/lease");
    await write(world, "msgq/config/lease", { ...lease, [wireOf(property)]: value });
  },
  createTakes: () => ["GET", "POST", "GET"],
};
