import diagnosis from "../../doctor/diagnosis";
import { type Asked, type Served, serving } from "./serving";

const NOW = Date.now();
const SOON = new Date(NOW + 600_000).toISOString();
const LATER = new Date(NOW + 864_000_000).toISOString();

/** What a product answers, by method and path, as its API's pages have it; anything else is its 404. */
async function findings(
  service: string,
  answers: Readonly<Record<string, Served | ((asked: Asked) => Served)>>,
  settings: object = {},
  state?: string,
) {
  const server = await serving((request, asked) => {
    const answer = answers[request] ?? { status: 404, body: "404 page not found" };
    return typeof answer === "function" ? answer(asked) : answer;
  });
  try {
    const all = { address: server.address, token: "canary", dialect: "real", ...settings };
    const configuration = new Map([[`quarterdeck:${service}`, JSON.stringify(all)]]);
    const { findings: found } = await diagnosis({
      configuration,
      ...(state !== undefined && { state }),
      env: {},
      folder: __dirname,
      node: ">=22.19",
    });
    expect(JSON.stringify(found)).not.toContain("canary");
    return found
      .filter(
        (finding) =>
          finding.about === service &&
          ["token", "rights", "needed", "product", "dialect"].includes(finding.what),
      )
      .map(({ what, verdict, says }) => `${what}: ${verdict}: ${says}`);
  } finally {
    await server.close();
  }
}

test("Nomad tells the token's policies and end, and its version to those who may ask", async () => {
  const self = { Name: "ci", Type: "client", Policies: ["deploy"], Roles: [{ ID: "1", Name: "team" }] };
  const version = { config: { Version: { Version: "2.0.5" } } };
  expect(
    await findings("scheduler", {
      "GET /v1/acl/token/self": { body: { ...self, ExpirationTime: LATER } },
      "GET /v1/agent/self": { body: version },
    }),
  ).toEqual([
    `token: ok: is known, with policies deploy, team; it ends ${LATER}`,
    "product: ok: Nomad 2.0.5",
    "dialect: ok: real: the product's own names",
  ]);
  expect(
    await findings("scheduler", {
      "GET /v1/acl/token/self": { body: { ...self, Type: "management" } },
      "GET /v1/agent/self": { status: 403, body: "Permission denied" },
    }),
  ).toEqual([
    "token: ok: is a management token, which may do everything",
    "product: not told: the token may not ask for the version (403)",
    "dialect: ok: real: the product's own names",
  ]);
});

test("a token that ends soon, one that is refused, and one that nobody needs", async () => {
  const token = async (answer: Served) =>
    (await findings("scheduler", { "GET /v1/acl/token/self": answer }))[0];
  expect(await token({ body: { Policies: [], ExpirationTime: SOON } })).toBe(
    `token: to do: is known, with no policies; it ends ${SOON}`,
  );
  expect(await token({ status: 403, body: "ACL token canary not found" })).toBe(
    "token: to do: is refused: 403 ACL token [secret] not found",
  );
  expect(await token({ status: 400, body: "ACL support disabled" })).toBe(
    "token: ok: access control is off: nobody needs one",
  );
});

test("Vault tells its version, the token's policies, and what it may do at each mount", async () => {
  const answers = {
    "GET /v1/sys/health": { body: { initialized: true, sealed: false, version: "2.5.5" } },
    "GET /v1/auth/token/lookup-self": {
      body: { data: { id: "canary", policies: ["default", "deploy"], expire_time: null } },
    },
    "POST /v1/sys/capabilities-self": {
      body: { data: { "mq/roles/any": ["create", "read"], "aws/roles/any": ["deny"] } },
    },
  };
  expect(await findings("secrets", answers, { queueMount: "mq" })).toEqual([
    "product: ok: version 2.5.5",
    "token: ok: is known, with policies default, deploy",
    "rights: ok: mq/roles: create read; aws/roles: deny; ldap/static-role: deny; identity/mfa/login-enforcement: deny",
    "dialect: ok: real: the product's own names",
  ]);
  const sealed = { body: { initialized: true, sealed: true, version: "2.5.5" }, status: 503 };
  expect(await findings("secrets", { "GET /v1/sys/health": sealed })).toContain(
    "product: to do: version 2.5.5: it is sealed",
  );
});

/** A state that holds these resources, by type and id. */
const stateOf = (
  resources: readonly (readonly [type: string, id: string, inputs?: object, outputs?: object])[],
) =>
  JSON.stringify({
    deployment: {
      resources: resources.map(([type, id, inputs = {}, outputs = {}], index) => ({
        urn: `urn:pulumi:dev::p::quarterdeck:${type}::r${index}`,
        type: `quarterdeck:${type}`,
        id,
        inputs,
        outputs,
      })),
    },
  });

test("Vault tells whether the token may do all that a stack's resources need, in each namespace", async () => {
  const asked: string[] = [];
  const secrets = (may: Readonly<Record<string, readonly string[]>>, state: string) =>
    findings(
      "secrets",
      {
        "POST /v1/sys/capabilities-self": ({ body, headers }) => {
          asked.push(`${headers["x-vault-namespace"] ?? ""} ${body}`);
          return { body: { data: may } };
        },
      },
      {},
      state,
    );
  const all = ["create", "read", "update", "delete"];
  const state = stateOf([
    ["secrets:QueueRole", "rabbitmq/app"],
    ["secrets:QueueConnection", "rabbitmq"],
    ["secrets:LibraryCheckOut", "ldap/ops/svc-1"],
    ["secrets:QueueRole", "rabbitmq/elsewhere", { connection: "eu" }],
    ["scheduler:Job", "ops/web"],
  ]);
  expect(
    await secrets({ "rabbitmq/roles/app": all, "rabbitmq/config/connection": ["update"] }, state),
  ).toContain(
    "rights: ok: all that 2 of this stack's resources need; what secrets:LibraryCheckOut needs stands on its page",
  );
  expect(asked).toEqual([' {"paths":["rabbitmq/roles/app","rabbitmq/config/connection"]}']);
  const lacking = await secrets({ "rabbitmq/roles/app": ["read", "update"] }, state);
  expect(lacking).toContain(
    "rights: to do: lacks delete on the path rabbitmq/roles/app (QueueRole r0), update or create on the path rabbitmq/config/connection (QueueConnection r1); what secrets:LibraryCheckOut needs stands on its page",
  );
  expect(
    await secrets({ "rabbitmq/roles/app": ["root"] }, stateOf([["secrets:QueueRole", "rabbitmq/app"]])),
  ).toContain("rights: ok: all that 1 of this stack's resources need");
  asked.length = 0;
  await secrets({}, stateOf([["secrets:QueueRole", "team-a@rabbitmq/app"]]));
  expect(asked).toEqual(['team-a {"paths":["rabbitmq/roles/app"]}']);
});

test("what a stack needs is told where the product does not say what a token may", async () => {
  const scheduler = await findings(
    "scheduler",
    {},
    {},
    stateOf([
      ["scheduler:Job", "ops/web"],
      ["scheduler:Job", "ops/api"],
    ]),
  );
  expect(scheduler).toContain(
    'needed: not told: whether the token has what this stack needs: namespace:read-job and namespace:submit-job and namespace:policy-override (where `policyOverride` is set) on the job\'s namespace "ops"',
  );
  const workspaces = ["ws-1", "ws-2", "ws-3", "ws-4", "ws-5"].map(
    (workspaceId) => ["workspaces:Workspace", `acme/${workspaceId}`, {}, { workspaceId }] as const,
  );
  expect(await findings("workspaces", {}, { organization: "acme" }, stateOf(workspaces))).toContain(
    "needed: not told: whether the token has what this stack needs: Read permission on runs and Admin permission on the workspace ws-1, the workspace ws-2, the workspace ws-3 and 2 more; Manage all workspaces or the owners team or an organization API token on the organization acme; a user API token (where `vcsRepo.githubAppInstallationId` is set) on the installation",
  );
});

test("Consul tells the token's policies and its version", async () => {
  const self = { Policies: [{ ID: "1", Name: "mesh" }], AccessorID: "canary-accessor" };
  expect(
    await findings("mesh", {
      "GET /v1/acl/token/self": { body: self },
      "GET /v1/agent/self": { body: { Config: { Version: "1.22.0" } } },
    }),
  ).toEqual([
    "token: ok: is known, with policies mesh",
    "product: ok: Consul 1.22.0",
    "dialect: ok: real: the product's own names",
  ]);
});

test("HCP Terraform tells whose token it is, and what it may do in the organization", async () => {
  const permissions = { "can-create-workspace": true, "can-manage-users": true, "can-create-module": false };
  const answers = {
    "GET /api/v2/ping": { status: 204, headers: { "tfp-appname": "HCP Terraform" }, body: "" },
    "GET /api/v2/account/details": { body: { data: { attributes: { username: "ci" } } } },
    "GET /api/v2/organizations/acme": { body: { data: { attributes: { permissions } } } },
  };
  expect(await findings("workspaces", answers, { organization: "acme" })).toEqual([
    "token: ok: is that of ci",
    "rights: ok: in acme: can-create-workspace",
    "product: ok: HCP Terraform",
    "dialect: ok: real: the product's own names",
  ]);
  expect(
    await findings(
      "workspaces",
      { "GET /api/v2/account/details": answers["GET /api/v2/account/details"] },
      { organization: "acm" },
    ),
  ).toContain("rights: to do: the organization acm is not shown (404)");
});

test.each([
  ["scheduler", { "GET /v1/jobs": { headers: { "x-nomad-index": "1" } } }],
  ["mesh", { "GET /v1/config/service-defaults": { headers: { "x-consul-index": "1" } } }],
  ["secrets", { "GET /v1/sys/health": { body: { initialized: true, sealed: false } } }],
  ["workspaces", { "GET /api/v2/ping": { headers: { "tfp-api-version": "2.6" } } }],
])("a %s service that is the real product wants its dialect", async (service, answers) => {
  expect(await findings(service, answers, { dialect: "neutral" })).toEqual([
    "dialect: to do: neutral, but the server answers with the product's own names",
  ]);
});
