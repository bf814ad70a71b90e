import diagnosis from "../../cli/doctor/diagnosis";
import { doctorExitCode } from "../../cli/doctor/report";
import { type Asked, type Served, startTestServer } from "./testServer";

const NOW = Date.now();
const SOON = new Date(NOW + 600_000).toISOString();
const LATER = new Date(NOW + 864_000_000).toISOString();

const JSON_TYPE = { "content-type": "application/json" };

/** Each product's response to the request that identifies it. */
const IDENTITIES: Readonly<Record<string, Readonly<Record<string, Served>>>> = {
  scheduler: { "GET /v1/agent/health": { body: { server: { ok: true, message: "ok" } } } },
  mesh: { "GET /v1/status/leader": { body: '"10.0.0.1:8300"', headers: JSON_TYPE } },
  secrets: { "GET /v1/sys/health": { body: { initialized: true, sealed: false, version: "2.6.2" } } },
  workspaces: { "GET /api/v2/ping": { status: 204, headers: { "tfp-api-version": "2.6" }, body: "" } },
};

type Answers = Readonly<Record<string, Served | ((asked: Asked) => Served)>>;

interface More {
  readonly settings?: object;
  readonly state?: string;
  readonly env?: Record<string, string>;
}

/** The findings for a server with these responses, by method and path; it returns 404 to any other request. */
async function diagnosed(service: string, answers: Answers, { settings = {}, state, env = {} }: More = {}) {
  const all: Answers = { ...IDENTITIES[service], ...answers };
  const server = await startTestServer((request, asked) => {
    const answer = all[request] ?? { status: 404, body: "404 page not found" };
    return typeof answer === "function" ? answer(asked) : answer;
  });
  try {
    const own = { address: server.address, token: "canary", dialect: "real", ...settings };
    const found = await diagnosis({
      configuration: new Map([[`quarterdeck:${service}`, JSON.stringify(own)]]),
      ...(state !== undefined && { state }),
      env,
      folder: __dirname,
      node: ">=22.19",
    });
    expect(JSON.stringify(found)).not.toContain("canary");
    const failed = found.findings.filter(({ status }) => status === "FAIL");
    expect(failed.filter(({ command = "" }) => command === "")).toEqual([]);
    expect(doctorExitCode(found)).toBe(failed.length === 0 ? 0 : 2);
    return found.findings
      .filter(({ about }) => about === service || about === "state")
      .map((finding) => ({
        ...finding,
        line: `${finding.what}: ${finding.status}: ${finding.message}`.replaceAll(server.address, "ADDRESS"),
      }));
  } finally {
    await server.close();
  }
}

const LEFT_OUT = ["settings", "address", "reached", "clock", "reads"];

/** The lines about tokens, permissions, versions, products, variables and dialects. */
async function lines(service: string, answers: Answers, more: More = {}) {
  const found = await diagnosed(service, answers, more);
  return found.filter(({ what }) => !LEFT_OUT.includes(what)).map(({ line }) => line);
}

/** The findings of one check. */
async function lineOf(what: string, service: string, answers: Answers, more: More = {}) {
  return (await diagnosed(service, answers, more)).filter((finding) => finding.what === what);
}

const REAL = "dialect: OK: real: the product's own names";
const NO_STACK = "permissions: SKIP: permissions for your resources are not checked: no stack is selected";

/** A state with these resources, by type and ID. */
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

describe("Nomad", () => {
  const SELF = "GET /v1/acl/token/self";
  const client = { AccessorID: "1", Name: "ci", Type: "client", Policies: ["deploy"] };
  const anonymous = { AccessorID: "anonymous", Type: "client", Policies: ["anonymous"] };
  const jobs = { body: [], headers: { "x-nomad-index": "7" } };
  const denied = { status: 403, body: "Permission denied" };

  test("shows the token's policies and expiry, and the version if the token may read it", async () => {
    const version = { config: { Version: { Version: "2.0.5" } } };
    expect(
      await lines("scheduler", {
        [SELF]: { body: { ...client, Roles: [{ ID: "1", Name: "team" }], ExpirationTime: LATER } },
        "GET /v1/agent/self": { body: version },
      }),
    ).toEqual([
      `token: OK: known, with policies deploy, team; expires ${LATER}`,
      "version: OK: Nomad 2.0.5",
      NO_STACK,
      REAL,
    ]);
    expect(
      await lines("scheduler", {
        [SELF]: { body: { ...client, Type: "management" } },
        "GET /v1/agent/self": denied,
      }),
    ).toEqual([
      "token: OK: management token, which may do everything",
      "version: SKIP: the version could not be read (403)",
      NO_STACK,
      REAL,
    ]);
  });

  test.each<[string, Served, string]>([
    [
      "is not offered",
      { status: 404, body: "404 page not found" },
      "the server has no endpoint for its version",
    ],
    ["is missing", { body: {} }, "the server's response contains no version"],
  ])("whose version %s is reported without a claim about the token", async (_, answer, why) => {
    const served = { [SELF]: { body: { ...client, Type: "management" } }, "GET /v1/agent/self": answer };
    expect(await lines("scheduler", served)).toContain(`version: SKIP: ${why}`);
  });

  test.each<[string, Served, string]>([
    [
      "expires soon",
      { body: { ...client, Policies: [], ExpirationTime: SOON } },
      `WARN: known, with no policies; expires ${SOON}`,
    ],
    [
      "is unknown",
      { status: 403, body: "ACL token canary not found" },
      "FAIL: refused: 403 ACL token [secret] not found",
    ],
    [
      "is not a UUID",
      { status: 500, body: "failed to parse signed token: three parts" },
      "FAIL: refused: 500 failed to parse signed token: three parts",
    ],
    [
      "is not needed",
      { status: 400, body: "ACL support disabled" },
      "OK: access control is off: no token is needed",
    ],
    [
      "cannot be looked up",
      { status: 404, body: "404 page not found" },
      "SKIP: this server has no token lookup, so the token was not checked",
    ],
  ])("reports a token that %s", async (_, answer, line) => {
    const [token] = await lineOf("token", "scheduler", { [SELF]: answer, "GET /v1/jobs": jobs });
    expect(token?.line).toBe(`token: ${line}`);
  });

  test("requires a token if it denies anonymous requests", async () => {
    const settings = { token: undefined };
    const [none] = await lineOf(
      "token",
      "scheduler",
      { [SELF]: { body: anonymous }, "GET /v1/jobs": denied },
      { settings },
    );
    expect(none).toMatchObject({
      line: "token: FAIL: no token is set, and the server requires a token",
      command: "pulumi config set --secret --path 'quarterdeck:scheduler.token'",
    });
    const [shown] = await lineOf(
      "token",
      "scheduler",
      { [SELF]: { body: anonymous }, "GET /v1/jobs": jobs },
      { settings },
    );
    expect(shown?.status).toBe("WARN");
  });

  const policy = (...namespaces: readonly (readonly [name: string, ...capabilities: string[]])[]) => ({
    body: {
      RulesJSON: { Namespaces: namespaces.map(([Name, ...Capabilities]) => ({ Name, Capabilities })) },
    },
  });
  test("reports that the permissions were not checked if there is no stack", async () => {
    expect(await lines("scheduler", { [SELF]: { body: client } })).not.toContainEqual(
      expect.stringMatching(/^permissions: (?!SKIP)/),
    );
  });

  const state = stateOf([["scheduler:Job", "ops/web"]]);
  const permissionsBy = async (answers: Answers) =>
    (await lineOf("permissions", "scheduler", { [SELF]: { body: client }, ...answers }, { state })).map(
      ({ line }) => line,
    );

  test.each<[string, Served, string]>([
    ["may only read", policy(["ops", "list-jobs", "read-job"]), "namespace:submit-job"],
    ["may only list", policy(["ops", "list-jobs"]), "namespace:read-job"],
    ["has permissions in another namespace", policy(["web", "read-job", "submit-job"]), "namespace:read-job"],
    ["is denied", policy(["ops", "deny", "read-job"]), "namespace:read-job"],
    [
      "is restricted by a more specific pattern",
      policy(["*", "read-job", "submit-job"], ["op*", "list-jobs"]),
      "read-job",
    ],
  ])("reports the permissions that a token lacks if it %s", async (_, answer, lacking) => {
    const [line] = await permissionsBy({ "GET /v1/acl/policy/deploy": answer });
    expect(line).toMatch(/^permissions: FAIL: lacks /);
    expect(line).toContain(lacking);
    expect(line).toContain('on the job\'s namespace "ops" (Job r0)');
  });

  test.each<[string, Served]>([
    ["for the namespace", policy(["ops", "read-job", "submit-job"])],
    ["for a pattern", policy(["o*s", "read-job", "submit-job"], ["*", "list-jobs"])],
  ])("accepts a token with permissions %s", async (_, answer) => {
    expect(await permissionsBy({ "GET /v1/acl/policy/deploy": answer })).toEqual([
      "permissions: OK: the token has all permissions that 1 of this stack's resources need",
    ]);
  });

  test("includes the permissions of roles, and reports a policy that the token may not read as not checked", async () => {
    const role = { body: { ...client, Policies: [], Roles: [{ ID: "r-1", Name: "team" }] } };
    expect(
      await permissionsBy({
        [SELF]: role,
        "GET /v1/acl/role/r-1": { body: { Policies: [{ Name: "deploy" }] } },
        "GET /v1/acl/policy/deploy": policy(["ops", "read-job", "submit-job"]),
      }),
    ).toEqual(["permissions: OK: the token has all permissions that 1 of this stack's resources need"]);
    const [line] = await permissionsBy({ "GET /v1/acl/policy/deploy": denied });
    expect(line).toMatch(/^permissions: SKIP: permissions for this stack are not checked: /);
  });
});

describe("Vault", () => {
  const LOOKUP = "GET /v1/auth/token/lookup-self";
  const LIST = "GET /v1/identity/mfa/login-enforcement";
  const none = { status: 404, body: { errors: [] } };
  const denied = { status: 403, body: { errors: ["permission denied"] } };

  test("shows its version, the token's policies, and the token's capabilities at each mount", async () => {
    const answers = {
      [LOOKUP]: { body: { data: { id: "canary", policies: ["default", "deploy"], expire_time: null } } },
      "POST /v1/sys/capabilities-self": {
        body: { data: { "mq/roles/any": ["create", "read"], "aws/roles/any": ["deny"] } },
      },
    };
    expect(await lines("secrets", answers, { settings: { queueMount: "mq" } })).toEqual([
      "version: OK: version 2.6.2",
      "token: OK: known, with policies default, deploy",
      "permissions: OK: mq/roles: create read; aws/roles: deny; ldap/static-role: deny; identity/mfa/login-enforcement: deny",
      NO_STACK,
      REAL,
    ]);
    const sealed = { body: { initialized: true, sealed: true, version: "2.5.5" }, status: 503 };
    expect(await lines("secrets", { "GET /v1/sys/health": sealed })).toContain(
      "version: FAIL: version 2.5.5: sealed",
    );
  });

  test("distinguishes a missing token, a rejected token, and a valid token that may not look itself up", async () => {
    const token = async (answers: Answers, settings = {}) =>
      (await lineOf("token", "secrets", answers, { settings }))[0]?.line;
    expect(await token({ [LOOKUP]: denied, [LIST]: denied }, { token: undefined })).toBe(
      "token: FAIL: no token is set, and the server requires a token",
    );
    expect(await token({ [LOOKUP]: denied, [LIST]: denied })).toMatch(/^token: FAIL: refused: 403/);
    expect(await token({ [LOOKUP]: denied, [LIST]: none })).toBe(
      "token: WARN: valid, but the token may not look itself up",
    );
    // The error of OpenBao 2.6 and Vault for a known token.
    const mayNot = { status: 403, body: { errors: ["1 error occurred:\n\t* permission denied\n\n"] } };
    expect(await token({ [LOOKUP]: mayNot, [LIST]: mayNot })).toBe(
      "token: WARN: valid, but the token may not look itself up",
    );
    const isInvalid = "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n";
    const unknown = { status: 403, body: { errors: [isInvalid] } };
    expect(await token({ [LOOKUP]: unknown, [LIST]: unknown })).toMatch(/^token: FAIL: refused: 403/);
    expect(await token({ [LIST]: none })).toBe(
      "token: SKIP: this server has no token lookup, so the token was not checked",
    );
  });

  test("compares the token's capabilities with the needs of a stack's resources, in each namespace", async () => {
    const asked: string[] = [];
    const permissions = async (may: Readonly<Record<string, readonly string[]>>, state: string) => {
      const answers = {
        [LOOKUP]: { body: { data: { policies: ["deploy"] } } },
        "POST /v1/sys/capabilities-self": ({ body, headers }: Asked) => {
          asked.push(`${headers["x-vault-namespace"] ?? ""} ${body}`);
          return { body: { data: may } };
        },
      };
      return (await lineOf("permissions", "secrets", answers, { state }))[0];
    };
    const all = ["create", "read", "update", "delete"];
    const state = stateOf([
      ["secrets:QueueRole", "rabbitmq/app"],
      ["secrets:QueueConnection", "rabbitmq"],
      ["secrets:LibraryCheckOut", "ldap/ops/svc-1"],
      ["secrets:QueueRole", "rabbitmq/elsewhere", { connection: "eu" }],
      ["scheduler:Job", "ops/web"],
    ]);
    const left = "; not checked: secrets:LibraryCheckOut (see the reference page)";
    const has = await permissions(
      { "rabbitmq/roles/app": all, "rabbitmq/config/connection": ["update"] },
      state,
    );
    expect(has?.line).toBe(
      `permissions: OK: the token has all permissions that 2 of this stack's resources need${left}`,
    );
    expect(asked).toEqual([' {"paths":["rabbitmq/roles/app","rabbitmq/config/connection"]}']);
    expect(await permissions({ "rabbitmq/roles/app": ["read", "update"] }, state)).toMatchObject({
      line: `permissions: FAIL: lacks delete on the path rabbitmq/roles/app (QueueRole r0), update or create on the path rabbitmq/config/connection (QueueConnection r1)${left}`,
      command: "vault token capabilities rabbitmq/roles/app",
    });
    const root = await permissions(
      { "rabbitmq/roles/app": ["root"] },
      stateOf([["secrets:QueueRole", "rabbitmq/app"]]),
    );
    expect(root?.status).toBe("OK");
    asked.length = 0;
    await permissions({}, stateOf([["secrets:QueueRole", "team-a@rabbitmq/app"]]));
    expect(asked).toEqual(['team-a {"paths":["rabbitmq/roles/app"]}']);
  });
});

describe("Consul", () => {
  const SELF = "GET /v1/acl/token/self";
  const entries = { body: [], headers: { "x-consul-index": "7" } };
  const filtered = {
    ...entries,
    headers: { ...entries.headers, "x-consul-results-filtered-by-acls": "true" },
  };
  const anonymous = { body: { AccessorID: "00000000-0000-0000-0000-000000000002", Policies: [] } };

  test("shows the token's policies and its version", async () => {
    expect(
      await lines("mesh", {
        [SELF]: { body: { Policies: [{ ID: "1", Name: "mesh" }], AccessorID: "canary-accessor" } },
        "GET /v1/config/service-defaults": entries,
        "GET /v1/agent/self": { body: { Config: { Version: "1.22.0" } } },
      }),
    ).toEqual(["token: OK: known, with policies mesh", "version: OK: Consul 1.22.0", NO_STACK, REAL]);
  });

  test("requires a token if it filters entries from responses to anonymous requests", async () => {
    const token = async (list: Served) =>
      (
        await lineOf(
          "token",
          "mesh",
          { [SELF]: anonymous, "GET /v1/config/service-defaults": list },
          { settings: { token: undefined } },
        )
      )[0]?.status;
    expect(await token(filtered)).toBe("FAIL");
    expect(await token(entries)).toBe("WARN");
  });

  test("reports the permissions that the token lacks for the entries of a stack", async () => {
    // More than Consul checks in one request.
    const names = ["web", ...Array.from({ length: 70 }, (_, at) => `s${at}`)];
    const state = stateOf(names.map((name) => ["mesh:ServiceDefaults", `service-defaults/${name}`] as const));
    const permissions = async (may: (access: string) => boolean) => {
      const answers = {
        [SELF]: { body: { Policies: [{ Name: "mesh" }] } },
        "GET /v1/config/service-defaults": entries,
        "POST /v1/internal/acl/authorize": ({ body }: Asked) => {
          const asked: { Access: string }[] = JSON.parse(body);
          if (asked.length > 64) return { status: 400, body: "too many requests" };
          return { body: asked.map((one) => ({ ...one, Allow: may(one.Access) })) };
        },
      };
      return (await lineOf("permissions", "mesh", answers, { state }))[0]?.line;
    };
    expect(await permissions(() => true)).toMatch(/^permissions: OK: the token has all permissions/);
    expect(await permissions((access) => access === "read")).toMatch(
      /^permissions: FAIL: lacks service:write on the service web \(ServiceDefaults r0\), .* and 68 more$/,
    );
  });
});

describe("HCP Terraform", () => {
  const permissions = { "can-create-workspace": true, "can-manage-users": true, "can-create-module": false };
  const answers = {
    "GET /api/v2/ping": {
      status: 204,
      headers: { "tfp-appname": "HCP Terraform", "tfp-api-version": "2.6" },
      body: "",
    },
    "GET /api/v2/account/details": { body: { data: { attributes: { username: "ci" } } } },
    "GET /api/v2/organizations/acme": { body: { data: { attributes: { permissions } } } },
  };
  const settings = { organization: "acme" };

  test("shows the token's user and its permissions in the organization", async () => {
    expect(await lines("workspaces", answers, { settings })).toEqual([
      "token: OK: that of ci",
      "permissions: OK: in acme: can-create-workspace",
      "version: OK: HCP Terraform",
      NO_STACK,
      REAL,
    ]);
    const { "GET /api/v2/organizations/acme": _, ...other } = answers;
    expect(await lines("workspaces", other, { settings: { organization: "acm" } })).toContainEqual(
      expect.stringMatching(/^permissions: FAIL: the organization acm is not shown: 404/),
    );
  });

  test("shows which workspaces of a stack the token may not update", async () => {
    const state = stateOf([["workspaces:Workspace", "acme/app", {}, { workspaceId: "ws-1" }]]);
    const permissions = async (may: boolean) => {
      const own = {
        "GET /api/v2/workspaces/ws-1": {
          body: { data: { attributes: { permissions: { "can-update": may } } } },
        },
      };
      return (await lineOf("permissions", "workspaces", { ...answers, ...own }, { settings, state })).map(
        ({ line }) => line,
      );
    };
    expect(await permissions(false)).toContain("permissions: FAIL: the token may not update ws-1");
    expect((await permissions(true)).some((line) => line.includes("FAIL"))).toBe(false);
  });
});

test.each([
  ["scheduler", { "GET /v1/jobs": { headers: { "x-nomad-index": "1" } } }],
  ["mesh", { "GET /v1/config/service-defaults": { headers: { "x-consul-index": "1" } } }],
  ["secrets", {}],
  ["workspaces", {}],
])("the real product fails the dialect check with the dialect neutral (%s)", async (service, answers) => {
  const [dialect] = await lineOf("dialect", service, answers, { settings: { dialect: "neutral" } });
  expect(dialect).toMatchObject({
    line: "dialect: FAIL: neutral, but the server answers with the product's own names",
    command: `pulumi config set --path --plaintext 'quarterdeck:${service}.dialect' real`,
  });
});

test("a real product that denies every request fails the dialect check with the dialect neutral", async () => {
  const denied = { status: 403, body: "Permission denied" };
  const settings = { dialect: "neutral" };
  const answers = { "GET /v1/jobs": denied, "GET /v1/status/leader": { body: "leader" } };
  const [dialect] = await lineOf("dialect", "scheduler", answers, { settings });
  expect(dialect?.status).toBe("FAIL");
});

test("a server with the specification's names fails the dialect check with the dialect real", async () => {
  const [dialect] = await lineOf("dialect", "scheduler", {
    "GET /v1/jobs": { body: [], headers: { "x-sched-index": "1" } },
  });
  expect(dialect).toMatchObject({ status: "FAIL", command: expect.stringContaining("neutral") });
});

const HTML: Served = {
  body: "<!doctype html><title>Sign in</title>",
  headers: { "content-type": "text/html" },
};
const VAULT_404: Served = { status: 404, body: { errors: ["no handler for route"] } };

test.each<[string, string, Answers]>([
  ["a login page", "scheduler", { "GET /v1/agent/health": HTML }],
  ["an HTML page for every list", "mesh", { "GET /v1/config/service-defaults": HTML }],
  [
    "Consul",
    "scheduler",
    { "GET /v1/agent/health": { status: 404, body: "404", headers: { "x-consul-index": "1" } } },
  ],
  ["Vault", "scheduler", { "GET /v1/agent/health": VAULT_404, "GET /v1/jobs": VAULT_404 }],
  [
    "Nomad",
    "mesh",
    {
      "GET /v1/acl/token/self": { status: 403 },
      "GET /v1/config/service-defaults": { status: 404, headers: { "x-nomad-index": "1" } },
    },
  ],
  ["Nomad", "secrets", { "GET /v1/sys/health": { status: 404, body: "404 page not found" } }],
  ["Vault", "workspaces", { "GET /api/v2/ping": VAULT_404 }],
])("%s at the address of %s fails the product check only", async (_, service, answers) => {
  const found = await diagnosed(service, answers);
  const failed = found.filter(({ status }) => status === "FAIL");
  expect(failed.map(({ what }) => what)).toEqual(["product"]);
  expect(failed[0]?.message).toMatch(/^this is not (Nomad|Consul|Vault or OpenBao|HCP Terraform)/);
  expect(failed[0]?.command).toBe(
    `pulumi config set --path --plaintext 'quarterdeck:${service}.address' https://…`,
  );
});

describe("an ignored environment variable", () => {
  const known = { "GET /v1/acl/token/self": { body: { Type: "management" } } };
  const variables = async (env: Record<string, string>, settings = {}) =>
    (await lineOf("variables", "scheduler", known, { settings, env })).map(({ line }) => line);

  test("is reported with the setting that is used instead", async () => {
    const env = { NOMAD_ADDR: "https://nomad.example.com", NOMAD_TOKEN: "canary-2", NOMAD_REGION: "eu" };
    expect(await variables(env)).toEqual([
      "variables: WARN: NOMAD_ADDR, NOMAD_TOKEN, NOMAD_REGION ignored: the address is ADDRESS, from the stack's configuration",
    ]);
    expect(await variables({ QUARTERDECK_SCHEDULER_TOKEN: "canary-2" })).toEqual([
      "variables: WARN: QUARTERDECK_SCHEDULER_TOKEN ignored: token is from the stack's configuration",
    ]);
    expect(await variables({ NOMAD_REGION: "eu" }, { dialect: "neutral" })).toEqual([
      "variables: WARN: NOMAD_REGION ignored: the dialect is not real",
    ]);
  });

  test("is not reported if it has the value that is used", async () => {
    expect(await variables({ QUARTERDECK_SCHEDULER_TOKEN: "canary" })).toEqual([]);
    expect(await variables({ NOMAD_REGION: "eu" }, { region: "eu" })).toEqual([]);
  });
});

describe("two resources with the same object", () => {
  const duplicates = async (...resources: Parameters<typeof stateOf>[0]) =>
    lineOf(
      "duplicates",
      "scheduler",
      { "GET /v1/acl/token/self": { body: { Type: "management" } } },
      { state: stateOf(resources) },
    );

  test("fail with the command that removes one of them from the state", async () => {
    expect(
      await duplicates(["scheduler:Job", "default/web"], ["scheduler:Job", "default/web"]),
    ).toMatchObject([
      {
        line: 'duplicates: FAIL: Job "r0" and Job "r1" manage the same object, "default/web"',
        command: "pulumi state delete 'urn:pulumi:dev::p::quarterdeck:scheduler:Job::r1'",
      },
    ]);
  });

  test("are not reported for other IDs, for types of other services, or for an external resource", async () => {
    expect(await duplicates(["scheduler:Job", "default/web"], ["scheduler:Job", "ops/web"])).toEqual([]);
    expect(await duplicates(["scheduler:Job", "default/web"], ["mesh:ConfigEntry", "default/web"])).toEqual(
      [],
    );
    const state = JSON.parse(
      stateOf([
        ["scheduler:Job", "default/web"],
        ["scheduler:Job", "default/web"],
      ]),
    );
    state.deployment.resources[1].external = true;
    expect(await lineOf("duplicates", "scheduler", {}, { state: JSON.stringify(state) })).toEqual([]);
  });

  test("are not reported for an object and a part of it that has a request of its own", async () => {
    const parts = ["RemoteStateConsumers", "DataRetentionPolicy", "WorkspaceSshKey", "WorkspaceLock"];
    for (const type of parts)
      expect(await duplicates(["workspaces:Workspace", "ws-1"], [`workspaces:${type}`, "ws-1"])).toEqual([]);
  });

  test("are reported for two types of one configuration entry", async () => {
    const [found] = await duplicates(
      ["mesh:ConfigEntry", "service-defaults/web"],
      ["mesh:ServiceDefaults", "service-defaults/web"],
    );
    expect(found?.status).toBe("FAIL");
  });
});
