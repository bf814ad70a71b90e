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

/** One answer in two forms: as the service says it, and as a function types it. */
export interface Answered {
  readonly token: string;
  /** What the service says of each object. */
  readonly said: readonly Json[];
  /** What the function answers of each, and the property of its result that holds them; none where it is the result. */
  readonly typed: readonly Json[];
  readonly property?: string;
}

/** A service with all that its tables name, and a console at it. */
interface Console {
  readonly world: World;
  readonly headers: Record<string, string>;
}

async function ask({ world, headers }: Console, path: string, method = "GET", body?: Json): Promise<Json> {
  const answer = await world.send(method, path, body, headers);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json ?? null;
}

async function call({ world: { connection } }: Console, token: string, args: Values): Promise<Values> {
  return (await callFunction(functionOf(token), args, { connection, log: () => undefined })).result;
}

/** One object that is read. */
async function one(at: Console, token: string, args: Values, said: Json): Promise<Answered> {
  return { token, said: [said], typed: [{ ...(await call(at, token, args)) }] };
}

/** Several that are read each by itself. */
function together(first: Answered, ...others: readonly Answered[]): Answered {
  const each = [first, ...others];
  return {
    ...first,
    said: each.flatMap(({ said }) => said),
    typed: each.flatMap(({ typed }) => typed),
  };
}

/** The objects of a list. */
async function many(at: Console, token: string, args: Values, property: string, said: Json) {
  const answered = (await call(at, token, args))[property];
  return { token, property, said: listOf(said), typed: listOf(answered) };
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new Error("a list is answered");
  return value;
}

function member(value: Json, name: string): Json {
  const found = isObject(value) ? value[name] : undefined;
  if (found === undefined) throw new Error(`${name} is answered`);
  return found;
}

/** Every answer that a table is of, by the name that the tables give it. */
export async function answers(): Promise<Readonly<Record<string, Answered>>> {
  return {
    ...(await ofWorkspaces()),
    ...(await ofTheScheduler()),
    ...(await ofSecrets()),
    ...(await ofTheMesh()),
  };
}

async function ofWorkspaces(): Promise<Record<string, Answered>> {
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
    workspace: together(await one(at, read, { name: "app" }, app), await one(at, read, { name: "web" }, web)),
    workspaces: await many(
      at,
      "workspaces:getWorkspaces",
      {},
      "workspaces",
      member(await ask(at, all), "data"),
    ),
    registryProvider: await one(
      at,
      "workspaces:getRegistryProvider",
      { registryName: "private", name: "platform" },
      member(await ask(at, `${providers}/private/acme/platform`), "data"),
    ),
    registryProviders: await many(
      at,
      "workspaces:getRegistryProviders",
      {},
      "providers",
      member(await ask(at, providers), "data"),
    ),
  };
}

async function ofTheScheduler(): Promise<Record<string, Answered>> {
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
    jobStubs: await many(at, "scheduler:getJobStubs", {}, "jobs", await ask(at, "/v1/jobs")),
    submission: await one(
      at,
      "scheduler:getJobSubmission",
      { ...ofWeb, version: 0 },
      await ask(at, "/v1/job/web/submission?version=0"),
    ),
    allocations: await many(
      at,
      "scheduler:getAllocations",
      ofWeb,
      "allocations",
      await ask(at, "/v1/job/web/allocations"),
    ),
    evaluations: await many(
      at,
      "scheduler:getEvaluations",
      { jobId: "huge" },
      "evaluations",
      await ask(at, "/v1/job/huge/evaluations"),
    ),
    deployments: await many(
      at,
      "scheduler:getDeployments",
      { jobId: "slow" },
      "deployments",
      await ask(at, "/v1/job/slow/deployments"),
    ),
  };
}

async function ofSecrets(): Promise<Record<string, Answered>> {
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
  const ofRole = async (name: string) =>
    one(at, "secrets:getCloudRole", { name }, await read(`cloud/roles/${name}`));
  const status = await read("ldap/library/ops/status");
  const accounts = await many(at, "secrets:getLibraryStatus", { name: "ops" }, "accounts", []);
  return {
    queueRole: await one(at, "secrets:getQueueRole", { name: "app" }, await read("msgq/roles/app")),
    mfaMethod: await one(
      at,
      "secrets:getMfaMethod",
      { methodId },
      await read(`identity/mfa/method/extidp/${methodId}`),
    ),
    loginEnforcement: await one(
      at,
      "secrets:getLoginEnforcement",
      { name: "all" },
      await read("identity/mfa/login-enforcement/all"),
    ),
    cloudRole: together(await ofRole("deploy"), await ofRole("assume"), await ofRole("old")),
    cloudRoot: await one(at, "secrets:getCloudRoot", {}, await read("cloud/config/root")),
    cloudLease: await one(at, "secrets:getCloudLease", {}, await read("cloud/config/lease")),
    cloudStaticRole: await one(
      at,
      "secrets:getCloudStaticRole",
      { name: "app" },
      await read("cloud/static-roles/app"),
    ),
    directoryConfig: await one(at, "secrets:getDirectoryConfig", {}, await read("ldap/config")),
    directoryStaticRole: await one(
      at,
      "secrets:getDirectoryStaticRole",
      { roleName: "db" },
      await read("ldap/static-role/db"),
    ),
    directoryRole: await one(
      at,
      "secrets:getDirectoryRole",
      { roleName: "reader" },
      await read("ldap/role/reader"),
    ),
    librarySet: await one(at, "secrets:getLibrarySet", { name: "ops" }, await read("ldap/library/ops")),
    libraryStatus: { ...accounts, said: isObject(status) ? Object.values(status) : [] },
    ...(await ofARekey(at)),
  };
}

function withToken({ world, headers }: Console, token: string): Console {
  return { world, headers: { ...headers, "x-secrets-token": token } };
}

async function ofARekey(at: Console): Promise<Record<string, Answered>> {
  const base = "/v1/sys/rekey-recovery-key";
  const init = { secret_shares: 1, secret_threshold: 1, pgp_keys: [btoa("key")], backup: true };
  const begun = await ask(at, `${base}/init`, "POST", { ...init, require_verification: true });
  const rekeyStatus = await one(at, "secrets:getRekeyStatus", {}, await ask(at, `${base}/init`));
  for (const key of INITIAL_SHARES.slice(0, 2)) {
    await ask(at, `${base}/update`, "POST", { key, nonce: member(begun, "nonce") });
  }
  const backup = "/v1/sys/rekey/recovery-key-backup";
  return {
    rekeyStatus,
    rekeyVerification: await one(
      at,
      "secrets:getRekeyVerificationStatus",
      {},
      await ask(at, `${base}/verify`),
    ),
    recoveryBackup: await one(at, "secrets:getRecoveryKeyBackup", {}, unwrapped(await ask(at, backup))),
  };
}

/** The backup is answered beside a status of the kind that every answer has. */
function unwrapped(answer: Json): Json {
  return isObject(answer) && isObject(answer.data) ? answer.data : answer;
}

async function ofTheMesh(): Promise<Record<string, Answered>> {
  const scene = new Scene();
  const world = new World(scene.service, configEntry, { token: TOKENS.manager });
  world.clock = scene.clock;
  await scene.existing(defaults("web", { Protocol: "http" }));
  const at = { world, headers: { "x-mesh-token": TOKENS.manager } };
  const asked = { kind: "service-defaults" };
  const path = "/v1/config/service-defaults";
  return {
    configEntry: await one(
      at,
      "mesh:getConfigEntry",
      { ...asked, name: "web" },
      await ask(at, `${path}/web`),
    ),
    configEntries: await many(at, "mesh:getConfigEntries", asked, "entries", await ask(at, path)),
  };
}
