import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { ListReport } from "../../cli/list/report";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn, TOKENS } from "../stack/console";
import { TestStack } from "../stack/stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
let stack: TestStack;
let ask: Ask;
let folder: string;

const program: pulumi.automation.PulumiFn = async () => {
  const tags = pulumi.secret("canary-tags");
  new quarterdeck.secrets.QueueRole("ours", { name: "ours", tags, vhosts: { "/": { read: ".*" } } });
  new quarterdeck.mesh.ConfigEntry("ours", { kind: "service-defaults", name: "ours", spec: {} });
};

const job = (ID: string, more: object) => ({
  Job: {
    ID,
    Type: "batch",
    Datacenters: ["dc1"],
    TaskGroups: [
      { Name: "main", Tasks: [{ Name: "main", Driver: "exec", Config: { command: "canary-command" } }] },
    ],
    ...more,
  },
});

beforeAll(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
  expect((await stack.up(program)).failure).toBeUndefined();
  const role = { tags: "canary-theirs", vhosts: '{"/":{"read":".*"}}' };
  await ask("secrets", "POST", "/v1/rabbitmq/roles/theirs", role);
  await ask("scheduler", "POST", "/v1/jobs", job("backup", { ParameterizedJob: {} }));
  await ask("scheduler", "PUT", "/v1/job/backup/dispatch", {});
  await ask("scheduler", "POST", "/v1/jobs", job("old", {}));
  await ask("scheduler", "DELETE", "/v1/job/old");
  const gateway = { Kind: "api-gateway", Name: "front" };
  await ask("mesh", "PUT", "/v1/config", {
    ...gateway,
    Listeners: [{ Name: "web", Port: 80, Protocol: "http" }],
  });
  await ask("workspaces", "POST", "/api/v2/organizations/acme/workspaces", {
    data: { type: "workspaces", attributes: { name: "shop" } },
  });
  folder = mkdtempSync(join(tmpdir(), "list-"));
  writeFileSync(join(folder, "state.json"), JSON.stringify(await stack.stack.exportStack()));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.close();
});
beforeEach(() => stack.stub.clearRequests());
afterEach(async () => expect(await stack.writes()).toEqual([]));

/** The addresses and tokens of the services as environment variables. */
function environment(): Record<string, string> {
  const settings = Object.entries(TOKENS).flatMap(([service, token]) => {
    const name = `QUARTERDECK_${service.toUpperCase()}`;
    const address = stack.stub.addresses[service as keyof typeof TOKENS];
    return [[`${name}_ADDRESS`, address] as const, [`${name}_TOKEN`, token] as const];
  });
  return { ...Object.fromEntries(settings), QUARTERDECK_WORKSPACES_ORGANIZATION: "acme" };
}

/** Adds --no-stack if the arguments name no stack or state, because there is no project here. */
const withoutStack = (args: readonly string[]) =>
  args.some((arg) => /^--(?:no-)?sta(?:ck|te)$|^-s$/.test(arg)) ? args : ["--no-stack", ...args];

async function list(env: Record<string, string>, ...args: readonly string[]) {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } };
  const ran = await run(
    process.execPath,
    [join(ROOT, "cli/quarterdeck.js"), "list", ...withoutStack(args)],
    options,
  ).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
  for (const secret of ["canary", ...Object.values(TOKENS)])
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  return ran;
}
async function reportOf(env: Record<string, string>, ...args: readonly string[]): Promise<ListReport> {
  const { code, stdout, stderr } = await list(env, "--json", ...args);
  expect([code, stderr.replace(/^.*plain text.*\n/gm, "")]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
}
const idsOf = (objects: ListReport["found"]) => objects.map(({ type, id }) => `${type} ${id}`).sort();

test("list prints the objects that are not in the state, with their import IDs, and omits those in the state", async () => {
  const report = await reportOf(environment(), "--state", "state.json");
  const found = idsOf(report.found);
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^mesh:ApiGateway .*api-gateway\/front$/),
      expect.stringMatching(/^scheduler:Job .*backup$/),
      expect.stringMatching(/^secrets:QueueRole .*theirs$/),
      expect.stringMatching(/^workspaces:Workspace ws-/),
    ]),
  );
  expect(found.filter((line) => line.endsWith("ours"))).toEqual([]);
  expect(report).toMatchObject({ known: 2, unread: [], unconfigured: [] });
});

test("a resource in the state on another server does not hide an object with the same ID", async () => {
  const { deployment, ...exported } = JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
  const provider = {
    urn: "urn:pulumi:dev::platform::pulumi:providers:quarterdeck::eu",
    custom: true,
    id: "1c2d",
    type: "pulumi:providers:quarterdeck",
    inputs: { secrets: { address: "http://127.0.0.1:1", token: "other" } },
  };
  const resources = deployment.resources.map((resource: { urn: string }) =>
    resource.urn.includes("QueueRole") ? { ...resource, provider: `${provider.urn}::1c2d` } : resource,
  );
  const file = join(folder, "two.json");
  writeFileSync(
    file,
    JSON.stringify({ ...exported, deployment: { ...deployment, resources: [provider, ...resources] } }),
  );
  const { found, known } = await reportOf(environment(), "--state", "two.json", "--search", "ours");
  expect(known).toBe(1);
  expect(found.map(({ type }) => type)).toEqual(["secrets:QueueRole"]);
});

test("list without a state omits no objects", async () => {
  const { found, known } = await reportOf(environment(), "--search", "OURS");
  expect(known).toBe(0);
  expect(found.map(({ type }) => type).sort()).toEqual(["mesh:ServiceDefaults", "secrets:QueueRole"]);
});

test("an engine that is not mounted is reported as absent, and is not a failure", async () => {
  const env = { ...environment(), QUARTERDECK_SECRETS_QUEUE_MOUNT: "none" };
  const report = await reportOf(env, "--service", "secrets");
  expect(report).toMatchObject({
    absent: [
      { of: "secrets:QueueRole", why: "no secrets engine is mounted at this path (/v1/none/roles)" },
      { of: "secrets:KvSecret", why: "no secrets engine is mounted at this path (/v1/secret/metadata)" },
    ],
    unread: [],
  });
  const { code, stdout } = await list(env, "--service", "secrets");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^SKIP {2}secrets:QueueRole +no secrets engine is mounted at this path/m),
  ]);
});

test("child jobs, stopped jobs, bound gateways, built-in objects and SSH keys are listed separately, with the reason", async () => {
  const { found, apart } = await reportOf(environment());
  expect(apart.map(({ type, why }) => [type, why]).sort()).toEqual([
    ["mesh:ConfigEntry", "Consul creates it from an api-gateway and its routes"],
    ["scheduler:Job", "Nomad launched this job from backup: manage backup instead"],
    ["scheduler:Job", expect.stringMatching(/^it is stopped, /)],
    ["scheduler:Namespace", "every cluster has it; to manage it, set adopt: true"],
    ["scheduler:NodePool", "every cluster has it, and Nomad rejects changes of it"],
    ["scheduler:NodePool", "every cluster has it, and Nomad rejects changes of it"],
    ["secrets:Policy", "every namespace has it; to manage it, set adopt: true"],
    ["workspaces:SshKey", expect.stringContaining("the server never returns the key")],
    ["workspaces:SshKey", expect.stringContaining("the server never returns the key")],
  ]);
  expect(idsOf(found).filter((line) => /dispatch|bound|old/.test(line))).toEqual([]);
});

test("--type and --service limit the list", async () => {
  const { found } = await reportOf(environment(), "--type", "scheduler:Job");
  expect(found.map(({ name }) => name)).toEqual(["backup"]);
  const { found: ofMesh } = await reportOf(environment(), "--service", "mesh");
  expect(new Set(ofMesh.map(({ type }) => type.split(":")[0]))).toEqual(new Set(["mesh"]));
});

test("a service without settings is reported as unconfigured; a rejected request makes the exit code 3", async () => {
  const { QUARTERDECK_MESH_ADDRESS: _, ...env } = environment();
  const { unconfigured, found } = await reportOf(env);
  expect(unconfigured.map(({ of }) => of)).toEqual(["mesh"]);
  expect(found.length).toBeGreaterThan(0);
  const { code, stdout } = await list({ ...environment(), QUARTERDECK_SCHEDULER_TOKEN: "no-such-token" });
  expect(code).toBe(3);
  expect(stdout).toMatch(/^FAIL {2}scheduler:Job +GET \/v1\/jobs returned 403/m);
  expect(stdout).toMatch(/^TYPE +ID +NAME\n/);
  expect(stdout).toMatch(/^secrets:QueueRole +.*theirs/m);
  expect(stdout).toMatch(/\n\n\d+ unmanaged, 0 managed, 4 not importable\n$/);
});

test("an unknown type is a usage error with exit code 64", async () => {
  const { code, stderr } = await list({}, "--type", "scheduler:Jobs");
  expect([code, stderr]).toEqual([64, expect.stringContaining("scheduler:Job")]);
});

test("list fails without a selected stack, and suggests --no-stack", async () => {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...environment() } };
  const ran = run(process.execPath, [join(ROOT, "cli/quarterdeck.js"), "list"], options);
  const { code, stdout, stderr } = await ran.then(
    () => ({ code: 0, stdout: "", stderr: "" }),
    (error) => error,
  );
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("--no-stack");
});
