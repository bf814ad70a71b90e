import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/options";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import httpRoute from "../../provider/services/mesh/kinds/httpRoute";
import ingressGateway from "../../provider/services/mesh/kinds/ingressGateway";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import serviceIntentions from "../../provider/services/mesh/kinds/serviceIntentions";
import serviceResolver from "../../provider/services/mesh/kinds/serviceResolver";
import job from "../../provider/services/scheduler/job";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueLease from "../../provider/services/secrets/queueLease";
import queueRole from "../../provider/services/secrets/queueRole";
import type { StubService } from "../../testing/stub/service";
import { expectLifecycleWithoutChanges } from "../steps/lifecycle";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { reset } from "./reset";
import { givenServer, type Server, sendRequest } from "./servers/server";

const server = givenServer();

/** A missing permission: its name in the error, the text of the policy that grants it, and the replacement. */
type MissingPermission = readonly [permission: string, text: string | RegExp, replacement: string];

/** A definition, two programs for it, and each permission that is removed. */
interface Story {
  readonly definition: AnyDefinition;
  readonly first: Values;
  readonly second: Values;
  readonly missing: readonly MissingPermission[];
}

/** A job as HCL, which Nomad parses. */
const hcl = (priority: number) => `
  job "rightful" {
    priority = ${priority}
    group "main" {
      count = 0
      task "main" {
        driver = "raw_exec"
        config { command = "true" }
      }
    }
  }
`;

/** Removes the capabilities for writes (the reference grants both), or one other capability. */
const withoutWrites = (path: string): MissingPermission => [
  "update or create",
  new RegExp(`(?<=path "${path.replaceAll("+", "\\+")}" \\{\\n  capabilities = \\[)[^\\]]*`),
  '"delete", "list", "read"',
];
const withoutCapability = (path: string, right: string): MissingPermission => [
  right,
  new RegExp(`(?<=path "${path.replaceAll("+", "\\+")}" \\{\\n  capabilities = \\[[^\\]]*)(, )?"${right}"`),
  "",
];

const onService = (right: string, level: string): MissingPermission => [
  right,
  'policy = "write"',
  `policy = "${level}"`,
];
const onMesh = (right: string, level: string): MissingPermission => [
  right,
  'mesh = "write"',
  `mesh = "${level}"`,
];
const parents = [{ name: "front" }];
const allowing = (name: string) => ({ sources: [{ name, action: "allow" }] });
const listening = (port: number) => ({ listeners: [{ port, protocol: "tcp", services: [{ name: "web" }] }] });

/** An MFA method that the start of the server created. */
const mfaMethodIds = Object.values(JSON.parse(server?.more.names ?? "{}") as Values).slice(0, 1);

const STORIES: Readonly<Record<string, readonly Story[]>> = {
  nomad: [
    {
      definition: job,
      first: { hcl: hcl(50), purge: true, wait: "evaluation" },
      second: { hcl: hcl(60), purge: true, wait: "evaluation" },
      missing: [
        ["submit-job", '"submit-job", ', ""],
        ["read-job", ', "read-job"', ""],
      ],
    },
  ],
  bao: [
    {
      definition: queueRole,
      first: { name: "app", tags: "monitoring" },
      second: { name: "app", tags: "management" },
      missing: [
        withoutWrites("rabbitmq/roles/+"),
        withoutCapability("rabbitmq/roles/+", "read"),
        withoutCapability("rabbitmq/roles/+", "delete"),
      ],
    },
    {
      definition: queueLease,
      // A delete leaves it unchanged.
      first: { ttl: 60, maxTtl: 120, adopt: true },
      second: { ttl: 90, maxTtl: 120, adopt: true },
      missing: [withoutWrites("rabbitmq/config/lease"), withoutCapability("rabbitmq/config/lease", "read")],
    },
    {
      definition: mfaMethod,
      first: { methodName: "rightful", orgName: "acme", apiToken: "one" },
      second: { methodName: "rightful", orgName: "umbrella", apiToken: "one" },
      missing: [
        withoutWrites("identity/mfa/method/okta"),
        withoutCapability("identity/mfa/method/okta/+", "read"),
        withoutCapability("identity/mfa/method/okta/+", "delete"),
      ],
    },
    {
      definition: loginEnforcement,
      first: { name: "rightful", mfaMethodIds, authMethodTypes: ["userpass"] },
      second: { name: "rightful", mfaMethodIds, authMethodTypes: ["userpass", "ldap"] },
      missing: [
        withoutWrites("identity/mfa/login-enforcement/+"),
        withoutCapability("identity/mfa/login-enforcement/+", "read"),
        withoutCapability("identity/mfa/login-enforcement/+", "delete"),
      ],
    },
  ],
  consul: [
    {
      definition: serviceDefaults,
      first: { name: "web", spec: { protocol: "http" } },
      second: { name: "web", spec: { protocol: "grpc" } },
      missing: [onService("service:write", "read"), onService("service:read", "deny")],
    },
    {
      definition: serviceIntentions,
      first: { name: "web", spec: allowing("shop") },
      second: { name: "web", spec: allowing("cart") },
      missing: [
        ["intentions:write", 'intentions = "write"', 'intentions = "read"'],
        ["intentions:read", 'intentions = "write"', 'intentions = "deny"'],
      ],
    },
    {
      definition: serviceResolver,
      first: { name: "web", spec: { redirect: { service: "shop" } } },
      second: { name: "web", spec: { redirect: { service: "cart" } } },
      missing: [
        onService("service:write", "read"),
        [
          "service:read",
          /service_prefix "" \{\n {2}policy = "read"/,
          'service_prefix "" {\n  policy = "deny"',
        ],
      ],
    },
    {
      definition: httpRoute,
      first: { name: "web", spec: { parents, hostnames: ["one.example"] } },
      second: { name: "web", spec: { parents, hostnames: ["two.example"] } },
      missing: [onMesh("mesh:write", "read"), onMesh("mesh:read", "deny")],
    },
    {
      definition: ingressGateway,
      first: { name: "web", spec: listening(8080) },
      second: { name: "web", spec: listening(8081) },
      missing: [onMesh("mesh:write", "read"), ["service:read", 'policy = "read"', 'policy = "deny"']],
    },
  ],
};

const PERMISSIONS = readFileSync(join(__dirname, "../../docs/reference/permissions.md"), "utf8");

/** The policy of the reference, with the name that the stories use. */
function policyOf({ token }: AnyDefinition): string {
  const [, policy] =
    new RegExp(`^### ${token}\\n\\n\`\`\`hcl\\n([^]*?)\\n\`\`\`$`, "m").exec(PERMISSIONS) ?? [];
  if (policy === undefined) throw new Error(`the reference names no policy for ${token}`);
  return policy.replaceAll('"NAME"', '"web"');
}

let grantCount = 0;

/** Creates a policy, and a token that has only this policy, by server. */
const GRANTS: Readonly<Record<string, (server: Server, policy: string) => Promise<string>>> = {
  nomad: async ({ address, token }, policy) => {
    const headers = { "x-nomad-token": token };
    const Name = `permissions-${++grantCount}`;
    await sendRequest(`${address}/v1/acl/policy/${Name}`, {
      method: "POST",
      headers,
      body: { Name, Rules: policy },
    });
    const body = { Name, Type: "client", Policies: [Name] };
    // The endpoint answers the token.
    return (
      (await sendRequest(`${address}/v1/acl/token`, { method: "POST", headers, body })) as {
        SecretID: string;
      }
    ).SecretID;
  },
  bao: async ({ address, token }, policy) => {
    const headers = { "x-vault-token": token };
    const name = `permissions-${++grantCount}`;
    await sendRequest(`${address}/v1/sys/policies/acl/${name}`, { method: "PUT", headers, body: { policy } });
    const body = { policies: [name], no_default_policy: true };
    const made = await sendRequest(`${address}/v1/auth/token/create`, { method: "POST", headers, body });
    // The endpoint returns the token outside of the envelope.
    return (made as { auth: { client_token: string } }).auth.client_token;
  },
  consul: async ({ address, token }, policy) => {
    const headers = { "x-consul-token": token };
    const Name = `permissions-${++grantCount}`;
    await sendRequest(`${address}/v1/acl/policy`, { method: "PUT", headers, body: { Name, Rules: policy } });
    const body = { Policies: [{ Name }] };
    // The endpoint answers the token.
    return (
      (await sendRequest(`${address}/v1/acl/token`, { method: "PUT", headers, body })) as { SecretID: string }
    ).SecretID;
  },
};

const stories = STORIES[server?.program ?? ""];
const grant = GRANTS[server?.program ?? ""];

if (server === undefined || stories === undefined || grant === undefined) {
  test.skip("permissions need a server with policies in the reference", () => undefined);
} else {
  /** Mounts or unmounts the engine of the reference's policies, at its default path. */
  const engine = (method: string, body?: object) =>
    sendRequest(`${server.address}/v1/sys/mounts/rabbitmq`, {
      method,
      headers: { "x-vault-token": server.token },
      ...(body && { body }),
    });

  beforeAll(reset);

  if (server.program === "bao") {
    beforeAll(() => engine("POST", { type: "rabbitmq" }));
    afterAll(() => engine("DELETE"));
  }

  /** A world with a token, and with the provider's own HTTP client. */
  function worldOf({ definition }: Story, token: string): World {
    const reached = { settings: { address: server?.address ?? "", dialect: "real" }, runtime: systemRuntime };
    // The world uses only the address and the real time of this stub.
    const stub = { name: definition.service.name, reached } as unknown as StubService;
    return new World(stub, definition, { token }, { runtime: systemRuntime, createClient });
  }

  describe.each(stories.map((story) => [story.definition.token, story] as const))(
    `the documented permissions for %s (${server.version})`,
    (_, story) => {
      test("are sufficient for preview, create, update, refresh and delete", async () => {
        const world = worldOf(story, await grant(server, policyOf(story.definition)));
        const forecast = new Resource(world, story.definition);
        await forecast.forecast(story.first);
        const resource = await expectLifecycleWithoutChanges(world, story, story.first, story.second);
        await resource.delete();
        expect(world.logged.filter((text) => /denied|right|token/i.test(text))).toEqual([]);
      });

      test.each(story.missing)(
        "without %s the server answers 403 and the error names the permission",
        async (permission, text, replacement) => {
          const policy = policyOf(story.definition);
          const reducedPolicy = policy.replace(text, replacement);
          expect(reducedPolicy).not.toBe(policy);
          const world = worldOf(story, await grant(server, reducedPolicy));
          const resource = new Resource(world, story.definition);
          const lifecycle = async () => {
            await resource.create(story.first);
            await resource.up(story.second);
            await resource.refresh();
            await resource.delete();
          };
          const error = await lifecycle().then(
            () => undefined,
            (reason: unknown) => String(reason),
          );
          // The administrator deletes the object, if it was created.
          if (resource.id !== "") {
            const owner = new Resource(worldOf(story, server.token), story.definition);
            Object.assign(owner, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
            if (await owner.refresh()) await owner.delete();
          }
          expect(error).toContain(permission);
          expect(error).toMatch(/403/);
        },
      );
    },
  );
}
