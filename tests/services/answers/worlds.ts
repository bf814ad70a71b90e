import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import { functionOf } from "../../../provider/functions";
import configEntry from "../../../provider/services/mesh/configEntry";
import job from "../../../provider/services/scheduler/job";
import queueRole from "../../../provider/services/secrets/queueRole";
import workspace from "../../../provider/services/workspaces/workspace";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { defaults, Scene, TOKENS } from "../../../testing/tests/stub/mesh-scene";
import { World } from "../../steps/world";

/** One response in two forms: the server's JSON, and a function's typed result. */
export interface Answered {
  readonly token: string;
  /** The server's JSON of each object. */
  readonly raw: readonly Json[];
  /** The function's result for each object, and the property of the result that lists them, if it is a list. */
  readonly typed: readonly Json[];
  readonly property?: string;
}

/** A stub with a value for every name in its tables, and the headers of direct requests to it. */
interface StubClient {
  readonly world: World;
  readonly headers: Record<string, string>;
}

async function ask({ world, headers }: StubClient, path: string, method = "GET", body?: Json): Promise<Json> {
  const answer = await world.send(method, path, body, headers);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json ?? null;
}

async function call({ world: { connection } }: StubClient, token: string, args: Values): Promise<Values> {
  return (await callFunction(functionOf(token), args, { connection, log: () => undefined })).result;
}

/** Reads one object. */
async function readOne(at: StubClient, token: string, args: Values, raw: Json): Promise<Answered> {
  return { token, raw: [raw], typed: [{ ...(await call(at, token, args)) }] };
}

/** Merges objects that are read one by one. */
function merge(first: Answered, ...others: readonly Answered[]): Answered {
  const each = [first, ...others];
  return {
    ...first,
    raw: each.flatMap(({ raw }) => raw),
    typed: each.flatMap(({ typed }) => typed),
  };
}

/** Reads the objects of a list. */
async function readList(at: StubClient, token: string, args: Values, property: string, raw: Json) {
  const listed = (await call(at, token, args))[property];
  return { token, property, raw: listOf(raw), typed: listOf(listed) };
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error("the response is not a list");
  return value;
}

function member(value: Json, name: string): Json {
  const found = isObject(value) ? value[name] : undefined;
  if (found === undefined) throw new Error(`the response has no ${name}`);
  return found;
}

/** Every response that a table describes, by its name in the tables. */
export async function answers(): Promise<Readonly<Record<string, Answered>>> {
  return {
    ...(await workspaceResponses()),
    ...(await schedulerResponses()),
    ...(await secretsResponses()),
    ...(await meshResponses()),
  };
}

async function workspaceResponses(): Promise<Record<string, Answered>> {
  const seed = {
    tokens: { olga: { user: "olga", organizations: { acme: ["owners"] } } },
    organizations: { acme: {} },
    workspaces: [
      {
        organization: "acme",
        name: "app",
        attributes: {
          "agent-pool-id": "apool-general",
          "auto-destroy-at": "2031-01-01T00:00:00Z",
          description: "ours",
          "execution-mode": "agent",
          "source-name": "ci",
          "source-url": "https://ci.example",
          "engine-version": "1.9.8",
          "working-directory": "one",
          "vcs-repo": { identifier: "acme/app", "oauth-token-id": "ot-code", "tags-regex": "^v" },
        },
        resourceCount: 3,
        lockedBy: { user: "olga" },
        lockedReason: "a freeze",
        currentRun: { id: "run-1", status: "applied", createdAt: 1 },
        currentStateVersion: "sv-1",
        observed: {
          "apply-duration-average": 1000,
          "plan-duration-average": 500,
          "auto-destroy-status": "scheduled",
          "last-assessment-result-at": "2030-01-01T00:00:00.000Z",
          "policy-check-failures": 1,
          "run-failures": 2,
        },
        related: {
          "current-configuration-version": "cv-1",
          "current-assessment-result": "asmtres-1",
          readme: "wr-1",
          outputs: ["wsout-1"],
          vars: ["var-1", "var-2"],
        },
      },
      {
        organization: "acme",
        name: "web",
        attributes: { "auto-destroy-activity-duration": "14d" },
      },
    ],
    registryProviders: [
      {
        organization: "acme",
        registryName: "private",
        namespace: "acme",
        name: "platform",
        versions: ["provver-1"],
      },
    ],
  };
  const world = new World(new WorkspacesService({ switches: { dialect: "neutral" }, seed }), workspace, {
    token: "olga",
    organization: "acme",
  });
  const at = {
    world,
    headers: { authorization: "Bearer olga", "content-type": "application/vnd.api+json" },
  };
  const all = "/api/v2/organizations/acme/workspaces";
  const id = member(member(await ask(at, `${all}/app`), "data"), "id");
  await ask(at, `/api/v2/workspaces/${String(id)}/relationships/ssh-key`, "PATCH", {
    data: { type: "workspaces", attributes: { id: "sshkey-deploy" } },
  });
  const app = member(await ask(at, `${all}/app`), "data");
  const web = member(await ask(at, `${all}/web`), "data");
  const read = "workspaces:getWorkspace";
  const providers = "/api/v2/organizations/acme/registry-providers";
  return {
    workspace: merge(
      await readOne(at, read, { name: "app" }, app),
      await readOne(at, read, { name: "web" }, web),
    ),
    workspaces: await readList(
      at,
      "workspaces:getWorkspaces",
      {},
      "workspaces",
      member(await ask(at, all), "data"),
    ),
    registryProvider: await readOne(
      at,
      "workspaces:getRegistryProvider",
      { registryName: "private", name: "platform" },
      member(await ask(at, `${providers}/private/acme/platform`), "data"),
    ),
    registryProviders: await readList(
      at,
      "workspaces:getRegistryProviders",
      {},
      "providers",
      member(await ask(at, providers), "data"),
    ),
  };
}

async function schedulerResponses(): Promise<Record<string, Answered>> {
  const tasks = [{ Name: "t", Driver: "docker" }];
  const ofService = { ID: "web", Type: "service", TaskGroups: [{ Name: "front", Update: {}, Tasks: tasks }] };
  const seed = {
    tokens: { manager: { management: true } },
    outcomes: [
      { job: "web", outcome: "fails-once" },
      { job: "huge", outcome: "unplaceable" },
    ],
  };
  const world = new World(
    new SchedulerService({ switches: { dialect: "neutral" }, seed, random: () => 0.5 }),
    job,
    { token: "manager" },
  );
  const clock = new StubClock(() => Date.UTC(2030, 0, 1));
  world.clock = clock;
  const at = { world, headers: { "x-sched-token": "manager", "content-type": "application/json" } };
  const Submission = { Source: "{}", Format: "json", VariableFlags: { a: "b" }, Variables: "c = 1" };
  await ask(at, "/v1/jobs", "POST", { Job: ofService, Submission });
  await ask(at, "/v1/jobs", "POST", { Job: { ...ofService, ID: "huge" } });
  const canaries = { Canary: 1, AutoPromote: false };
  for (const Priority of [50, 51]) {
    const front = { Name: "front", Update: canaries, Tasks: [{ ...tasks[0], Env: { v: String(Priority) } }] };
    await ask(at, "/v1/jobs", "POST", {
      Job: { ID: "slow", Type: "service", Priority, TaskGroups: [front] },
    });
    clock.advance(60_000);
    await ask(at, "/v1/jobs");
  }
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(60_000);
    await ask(at, "/v1/jobs");
  }
  const ofWeb = { jobId: "web" };
  return {
    jobStubs: await readList(at, "scheduler:getJobStubs", {}, "jobs", await ask(at, "/v1/jobs")),
    submission: await readOne(
      at,
      "scheduler:getJobSubmission",
      { ...ofWeb, version: 0 },
      await ask(at, "/v1/job/web/submission?version=0"),
    ),
    allocations: await readList(
      at,
      "scheduler:getAllocations",
      ofWeb,
      "allocations",
      await ask(at, "/v1/job/web/allocations"),
    ),
    evaluations: await readList(
      at,
      "scheduler:getEvaluations",
      { jobId: "huge" },
      "evaluations",
      await ask(at, "/v1/job/huge/evaluations"),
    ),
    deployments: await readList(
      at,
      "scheduler:getDeployments",
      { jobId: "slow" },
      "deployments",
      await ask(at, "/v1/job/slow/deployments"),
    ),
  };
}

async function secretsResponses(): Promise<Record<string, Answered>> {
  const stub = new SecretsService({
    switches: { dialect: "neutral" },
    seed: { tokens: { root: {}, borrower: { entityId: "entity-1" } } },
  });
  stub.seed({ invalidCloudRoles: [{ name: "old", invalidData: "policy: {" }] });
  const world = new World(stub, queueRole, { token: "root" });
  const at = { world, headers: { "x-secrets-token": "root", "content-type": "application/json" } };
  const write = (path: string, body: Json) => ask(at, `/v1/${path}`, "POST", body);
  const read = async (path: string) => member(await ask(at, `/v1/${path}`), "data");
  const permissions = '{"/": {"configure": ".*", "write": ".*", "read": ".*"}}';
  const topics = '{"/": {"amq.topic": {"write": ".*", "read": ".*"}}}';
  const LDIF = "dn: cn={{.Username}}\nchangetype: add";
  await write("msgq/roles/app", { tags: "monitoring", vhosts: permissions, vhost_topics: topics });
  const method = { method_name: "corp", org_name: "acme", api_token: "hush", username_format: "{{name}}" };
  const made = await write("identity/mfa/method/extidp", method);
  const methodId = String(member(member(made, "data"), "method_id"));
  const selected = { mfa_method_ids: [methodId], auth_method_types: ["userpass"] };
  await write("identity/mfa/login-enforcement/all", selected);
  await write("cloud/config/root", {
    ...{ access_key: "AKIA", secret_key: "hush", region: "eu-west-1" },
    ...{ iam_endpoint: "https://iam.example", sts_endpoint: "https://sts.example" },
  });
  await write("cloud/config/lease", { lease: "30m", lease_max: "24h" });
  await write("cloud/roles/deploy", {
    credential_type: "iam_user",
    policy_document: '{"Version": "2012-10-17"}',
    policy_arns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
    iam_groups: ["ops"],
  });
  await write("cloud/roles/assume", {
    credential_type: "assumed_role",
    role_arns: ["arn:aws:iam::1:role/x"],
  });
  await write("cloud/static-roles/app", { username: "svc-app", rotation_period: "24h" });
  await write("ldap/config", { binddn: "cn=admin", bindpass: "hush", certificate: "", insecure_tls: true });
  await write("ldap/static-role/db", { username: "svc-db", dn: "cn=svc-db", rotation_period: "1h" });
  await write("ldap/role/reader", {
    ...{ creation_ldif: LDIF, deletion_ldif: LDIF.replace("add", "delete"), rollback_ldif: LDIF },
    ...{ username_template: "{{.RoleName}}", default_ttl: "1h", max_ttl: "2h" },
  });
  await write("ldap/library/ops", { service_account_names: "svc-1,svc-2" });
  await ask(withToken(at, "borrower"), "/v1/ldap/library/ops/check-out", "POST", {});
  const readRole = async (name: string) =>
    readOne(at, "secrets:getCloudRole", { name }, await read(`cloud/roles/${name}`));
  const status = await read("ldap/library/ops/status");
  const accounts = await readList(at, "secrets:getLibraryStatus", { name: "ops" }, "accounts", []);
  return {
    queueRole: await readOne(at, "secrets:getQueueRole", { name: "app" }, await read("msgq/roles/app")),
    mfaMethod: await readOne(
      at,
      "secrets:getMfaMethod",
      { methodId },
      await read(`identity/mfa/method/extidp/${methodId}`),
    ),
    loginEnforcement: await readOne(
      at,
      "secrets:getLoginEnforcement",
      { name: "all" },
      await read("identity/mfa/login-enforcement/all"),
    ),
    cloudRole: merge(await readRole("deploy"), await readRole("assume"), await readRole("old")),
    cloudRoot: await readOne(at, "secrets:getCloudRoot", {}, await read("cloud/config/root")),
    cloudLease: await readOne(at, "secrets:getCloudLease", {}, await read("cloud/config/lease")),
    cloudStaticRole: await readOne(
      at,
      "secrets:getCloudStaticRole",
      { name: "app" },
      await read("cloud/static-roles/app"),
    ),
    directoryConfig: await readOne(at, "secrets:getDirectoryConfig", {}, await read("ldap/config")),
    directoryStaticRole: await readOne(
      at,
      "secrets:getDirectoryStaticRole",
      { roleName: "db" },
      await read("ldap/static-role/db"),
    ),
    directoryRole: await readOne(
      at,
      "secrets:getDirectoryRole",
      { roleName: "reader" },
      await read("ldap/role/reader"),
    ),
    librarySet: await readOne(at, "secrets:getLibrarySet", { name: "ops" }, await read("ldap/library/ops")),
    libraryStatus: { ...accounts, raw: isObject(status) ? Object.values(status) : [] },
    ...(await rekeyResponses(at)),
  };
}

function withToken({ world, headers }: StubClient, token: string): StubClient {
  return { world, headers: { ...headers, "x-secrets-token": token } };
}

async function rekeyResponses(at: StubClient): Promise<Record<string, Answered>> {
  const base = "/v1/sys/rekey-recovery-key";
  const init = { secret_shares: 1, secret_threshold: 1, pgp_keys: [btoa("key")], backup: true };
  const begun = await ask(at, `${base}/init`, "POST", { ...init, require_verification: true });
  const rekeyStatus = await readOne(at, "secrets:getRekeyStatus", {}, await ask(at, `${base}/init`));
  for (const key of INITIAL_SHARES.slice(0, 2)) {
    await ask(at, `${base}/update`, "POST", { key, nonce: member(begun, "nonce") });
  }
  const backup = "/v1/sys/rekey/recovery-key-backup";
  return {
    rekeyStatus,
    rekeyVerification: await readOne(
      at,
      "secrets:getRekeyVerificationStatus",
      {},
      await ask(at, `${base}/verify`),
    ),
    recoveryBackup: await readOne(at, "secrets:getRecoveryKeyBackup", {}, unwrapped(await ask(at, backup))),
  };
}

/** The backup, which the server wraps in `data` like other responses. */
function unwrapped(answer: Json): Json {
  return isObject(answer) && isObject(answer.data) ? answer.data : answer;
}

async function meshResponses(): Promise<Record<string, Answered>> {
  const scene = new Scene();
  const world = new World(scene.service, configEntry, { token: TOKENS.manager });
  world.clock = scene.clock;
  await scene.existing(defaults("web", { Protocol: "http" }));
  const at = { world, headers: { "x-mesh-token": TOKENS.manager } };
  const asked = { kind: "service-defaults" };
  const path = "/v1/config/service-defaults";
  return {
    configEntry: await readOne(
      at,
      "mesh:getConfigEntry",
      { ...asked, name: "web" },
      await ask(at, `${path}/web`),
    ),
    configEntries: await readList(at, "mesh:getConfigEntries", asked, "entries", await ask(at, path)),
  };
}
