import fc from "fast-check";
import type { Json } from "../../../provider/core/json";
import loginEnforcement from "../../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import queueRole from "../../../provider/services/secrets/queueRole";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import type { Subject } from "../subject";
import { World } from "../world";
import { defined, maybe } from "./arbitraries";

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

function freshStub(): SecretsService {
  return new SecretsService({ seed: { tokens: { root: {} } } });
}

async function read(world: World, path: string): Promise<{ [member: string]: Json }> {
  const { json } = await world.send("GET", path, undefined, headers);
  // The stub answers an object under `data`.
  return (json as { data: { [member: string]: Json } }).data;
}

async function write(world: World, path: string, body: Json): Promise<void> {
  const answer = await world.send("POST", path, body, headers);
  if (answer.status >= 300) throw new Error(answer.text);
}

async function take(world: World, path: string): Promise<void> {
  const answer = await world.send("DELETE", path, undefined, headers);
  if (answer.status >= 300) throw new Error(answer.text);
}

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

/** The role `app` of the message-queue engine at its default mount. */
export const queueRoleSubject: Subject = {
  definition: queueRole,
  world: async () => new World(freshStub(), queueRole, { token: "root" }),
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
    const role = await read(world, "/v1/msgq/roles/app");
    const body = { ...role, [property]: value };
    await write(world, "/v1/msgq/roles/app", {
      tags: body.tags ?? "",
      vhosts: JSON.stringify(body.vhosts ?? {}),
      vhost_topics: JSON.stringify(body.vhost_topics ?? {}),
    });
  },
  takeAway: (world) => take(world, "/v1/msgq/roles/app"),
  createTakes: () => ["GET", "POST", "GET"],
};

/** The method `corporate` of the external identity provider. */
export const mfaMethodSubject: Subject = {
  definition: mfaMethod,
  world: async () => new World(freshStub(), mfaMethod, { token: "root" }),
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
  async edit(world, { record }, { property, value }) {
    const path = `/v1/identity/mfa/method/extidp/${record.address.methodId}`;
    const { org_name, base_url, username_format, primary_email } = await read(world, path);
    const wire = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    await write(world, path, {
      org_name: org_name ?? "",
      base_url: base_url ?? "okta.com",
      username_format: username_format ?? "",
      primary_email: primary_email ?? false,
      api_token: "theirs",
      [wire]: value,
    });
  },
  takeAway: (world, { record }) => take(world, `/v1/identity/mfa/method/extidp/${record.address.methodId}`),
  createTakes: () => ["GET", "POST", "GET"],
};

/** The ids that a fresh stub gives its first two methods. */
const METHODS = ["7bf71b3e-e29d-43f8-aab6-00df3684c85b", "2c64d6e1-0ac7-4061-adc1-4250311dbb7f"];
const selector = (...names: string[]) => maybe(fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }));

/** The enforcement `everybody`, and two methods that it may ask for. */
export const loginEnforcementSubject: Subject = {
  definition: loginEnforcement,
  async world() {
    const world = new World(freshStub(), loginEnforcement, { token: "root" });
    for (const [index, name] of ["first", "second"].entries()) {
      const body = { method_name: name, org_name: "acme", api_token: "t" };
      const { json } = await world.send("POST", "/v1/identity/mfa/method/extidp", body, headers);
      expect(json).toMatchObject({ data: { method_id: METHODS[index] } });
    }
    return world;
  },
  programs: fc
    .record({
      name: fc.constant("everybody"),
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
    fc.record({ property: fc.constant("identityEntityIds"), value: fc.constantFrom<Json>(["entity-9"], []) }),
  ),
  async edit(world, _resource, { property, value }) {
    const path = "/v1/identity/mfa/login-enforcement/everybody";
    const { mfa_method_ids } = await read(world, path);
    const wire = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    await write(world, path, { mfa_method_ids: mfa_method_ids ?? [], [wire]: value });
  },
  takeAway: (world) => take(world, "/v1/identity/mfa/login-enforcement/everybody"),
  createTakes: () => ["GET", "POST", "GET"],
};
