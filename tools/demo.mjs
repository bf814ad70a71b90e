// Runs the complete example examples/platform: starts the mock servers, takes a stack through its lifecycle, and ends with
// one line per step. It exits with 0 only if every step went as expected.
// PULUMI_ENGINE=cli or embedded selects the engine; the default is the Pulumi CLI if it is installed. With
// QUARTERDECK_BRIDGE=plugin the provider plugin serves the resources, otherwise dynamic providers do.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const require = createRequire(import.meta.url);
const { startStub, TEST_TOKENS } = require("pulumi-quarterdeck-testing");
const { engineOf } = require("./engine.cjs");

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const byPlugin = process.env.QUARTERDECK_BRIDGE === "plugin";
const steps = [];
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-demo-"));
const { command: pulumiCommand } = await engineOf();
const stub = await startStub();
try {
  await tell(await openStack());
} finally {
  await stub.stop();
  rmSync(folder, { recursive: true, force: true });
}

console.log("");
for (const [number, { title, problem }] of steps.entries()) {
  console.log(`${problem ? "failed" : "ok    "} ${number + 1}. ${title}${problem ? `: ${problem}` : ""}`);
}
process.exitCode = steps.every(({ problem }) => problem === undefined) ? 0 : 1;

/** Copies the example, so that its folder stays unchanged, and creates a stack of it. */
async function openStack() {
  const work = join(folder, "platform");
  cpSync(join(root, "examples/platform"), work, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(work, "node_modules"), "junction");
  if (byPlugin)
    execFileSync(process.execPath, [join(root, "cli/quarterdeck.js"), "init"], {
      cwd: work,
      stdio: "inherit",
    });
  mkdirSync(join(folder, "state"));
  const stack = await LocalWorkspace.createStack(
    { stackName: "demo", workDir: work },
    {
      pulumiCommand,
      envVars: {
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "demo",
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
    },
  );
  for (const [service, address] of Object.entries(stub.addresses)) {
    const settings = {
      address,
      token: TEST_TOKENS[service],
      ...(service === "workspaces" && { organization: "acme" }),
    };
    await stack.setConfig(`quarterdeck:${service}`, { value: JSON.stringify(settings), secret: true });
  }
  await stack.setConfig("identityProviderToken", { value: "a-token-of-the-demo", secret: true });
  return stack;
}

async function tell(stack) {
  const before = await objects();

  await step("the preview shows all creates and writes nothing", async () => {
    const { changeSummary } = await shown(stack.preview.bind(stack));
    expect(changeSummary.create, 10);
    expect(await stub.writes(), []);
  });
  await step("up creates all objects", async () => {
    const { summary } = await shown(stack.up.bind(stack));
    expect(summary.resourceChanges, { create: 10 });
    expect((await job()).TaskGroups[0].Count, 2);
  });
  await step("a second up changes nothing and sends no request", async () => {
    await stub.clearRequests();
    const { summary } = await stack.up();
    expect(summary.resourceChanges, { same: 10 });
    expect((await stub.requests()).length, 0);
  });
  await step(
    "someone else changes the job and a configuration entry; a refresh shows exactly these fields",
    async () => {
      await editJob((found) => ({ ...found, TaskGroups: [{ ...found.TaskGroups[0], Count: 5 }] }));
      await editEntry({ MaxInboundConnections: 64 });
      const { summary, stdout } = await shown(stack.refresh.bind(stack));
      expect(summary.resourceChanges, { same: 8, update: 2 });
      contains(stdout, /json\.TaskGroups\["api"\]\.Count\s+2\s+5/);
      contains(stdout, /spec\.MaxInboundConnections\s+1024\s+64/);
      for (const still of ["LOG_LEVEL", "spec.Protocol"]) lacks(stdout, still);
    },
  );
  await step("up restores both", async () => {
    const { summary } = await shown(stack.up.bind(stack));
    expect(summary.resourceChanges, { same: 8, update: 2 });
    expect((await job()).TaskGroups[0].Count, 2);
    expect((await entry()).MaxInboundConnections, 1024);
  });
  await step("someone else changes the job between preview and up; up fails with a conflict", async () => {
    await stack.setConfig("replicas", { value: "3" });
    await stack.preview();
    await editJob((found) => ({ ...found, TaskGroups: [{ ...found.TaskGroups[0], Count: 7 }] }));
    const message = await failure(() => stack.up());
    const told = message
      .slice(message.lastIndexOf("conflict:", message.indexOf("last read at")))
      .split("\n\n")[0];
    console.log(told);
    contains(told, 'Nomad job "default/orders" was changed outside this stack');
    contains(told, /last read at modify index \d+; the server is now at index \d+/);
    contains(told, /json\.TaskGroups\["api"\]\.Count\s+2\s+3\s+7/);
    expect((await job()).TaskGroups[0].Count, 7);
  });
  await step("a refresh shows their value, and the next up writes yours", async () => {
    const { stdout } = await shown(stack.refresh.bind(stack));
    contains(stdout, /json\.TaskGroups\["api"\]\.Count\s+2\s+7/);
    await stack.up();
    expect((await job()).TaskGroups[0].Count, 3);
  });
  await step("someone else changes an unmanaged property; an update keeps their value", async () => {
    const { id } = await workspace("staging-network");
    const data = { type: "workspaces", attributes: { "queue-all-runs": true } };
    await ask("workspaces", "PATCH", `/api/v2/workspaces/${id}`, { data });
    await stack.setConfig("environment", { value: "production" });
    const { summary } = await shown(stack.up.bind(stack));
    expect(summary.resourceChanges, { same: 7, update: 3 });
    const after = await workspace("production-network");
    expect(after.id, id);
    expect(after.attributes["queue-all-runs"], true);
    expect(after.attributes["auto-apply"], false);
  });
  await step("destroy restores the initial state of the servers", async () => {
    await shown(stack.destroy.bind(stack));
    expect(await objects(), before);
  });
}

/** Runs one step; its error is printed at the end. */
async function step(title, run) {
  console.log(`\n── ${steps.length + 1}. ${title}`);
  try {
    await run();
    steps.push({ title });
  } catch (error) {
    console.error(error);
    steps.push({ title, problem: String(error?.message ?? error).split("\n")[0] });
  }
}

/** Runs a command, and shows the engine's output. */
function shown(command) {
  return command({ onOutput: (text) => process.stdout.write(text), color: "never", suppressProgress: true });
}

async function failure(run) {
  try {
    await run();
  } catch (error) {
    return String(error.message);
  }
  throw new Error("it went through, and should have failed");
}

function expect(actual, expected) {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, and it is ${JSON.stringify(actual)}`);
  }
}

function contains(text, wanted) {
  const found = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  if (!found) throw new Error(`${wanted} is not shown`);
}

function lacks(text, unwanted) {
  if (text.includes(unwanted)) throw new Error(`${unwanted} is shown, and should not be`);
}

/** The objects on the servers, without the servers' records of deleted objects: histories and formerly used tags. */
async function objects() {
  const histories = new Set(["allocations", "deployments", "due", "evaluations", "index", "tables", "tags"]);
  const dumps = await Promise.all(Object.keys(stub.addresses).map((service) => stub.dump(service)));
  return JSON.parse(JSON.stringify(dumps, (name, value) => (histories.has(name) ? undefined : value)));
}

/** Sends a request to a mock server, like another user at a console. */
async function ask(service, method, path, body) {
  const token = TEST_TOKENS[service];
  const answer = await fetch(stub.addresses[service] + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "x-nomad-token": token,
      "x-vault-token": token,
      "x-consul-token": token,
      "content-type": service === "workspaces" ? "application/vnd.api+json" : "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function job() {
  return ask("scheduler", "GET", "/v1/job/orders");
}

async function editJob(edit) {
  return ask("scheduler", "POST", "/v1/jobs", { Job: edit(await job()) });
}

function entry() {
  return ask("mesh", "GET", "/v1/config/service-defaults/orders");
}

async function editEntry(change) {
  const { Kind, Name, Protocol } = await entry();
  return ask("mesh", "PUT", "/v1/config", { Kind, Name, Protocol, ...change });
}

async function workspace(name) {
  return (await ask("workspaces", "GET", `/api/v2/organizations/acme/workspaces/${name}`)).data;
}
