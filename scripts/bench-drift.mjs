// What `quarterdeck drift` costs: of so many resources of every service, of which somebody moved ten. Wall time with the
// start of the process, requests, peak memory, and whether it found just those ten; beside a refresh of the engine.
//   node scripts/bench-drift.mjs [--count 1000] [--runs 5] [--plugin]
// PULUMI_ENGINE=cli or embedded chooses the engine.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";

const require = createRequire(import.meta.url);
const { engineOf } = require("./engine.cjs");
const { startStubProcess } = require("../bench/stubProcess.cjs");
const { mixes, programs } = require("../bench/programs.cjs");

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    runs: { type: "string", default: "5" },
    plugin: { type: "boolean", default: false },
  },
});
const [count, runs] = [Number(values.count), Number(values.runs)];
const engine = await engineOf({ otherwise: "embedded" });
const [mix] = mixes;
const subject = programs(count, mix)[values.plugin ? "by the plugin" : "quarterdeck"];

const stub = await startStubProcess();
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-drift-"));
try {
  const stack = await openStack();
  await stack.up();
  const file = join(folder, "state.json");
  writeFileSync(file, JSON.stringify(await stack.exportStack()));
  await report("nothing moved", file);
  const moved = await move();
  await report(`${moved.length} moved`, file, moved);
  await stub.requests();
  const start = performance.now();
  await stack.refresh();
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `refresh of the engine (${engine.describe}): ${seconds.toFixed(2)} s, ${await stub.requests()} requests`,
  );
} finally {
  await stub.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function openStack() {
  for (const name of ["work", "state"]) mkdirSync(join(folder, name));
  const workspace = await LocalWorkspace.create({
    workDir: join(folder, "work"),
    pulumiCommand: engine.command,
    program: subject.program,
    projectSettings: {
      name: "bench",
      runtime: "nodejs",
      main: root,
      plugins: { providers: [{ name: "quarterdeck", path: join(root, "plugin") }] },
    },
    envVars: {
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  });
  const stack = await Stack.create("bench", workspace);
  if (values.plugin) await stack.setConfig("quarterdeck:bridge", { value: "plugin" });
  for (const [service, settings] of Object.entries(stub.settings)) {
    await stack.setConfig(`quarterdeck:${service}`, { value: JSON.stringify(settings), secret: true });
  }
  return stack;
}

/** What somebody else does at a console; the names of what it moves. */
async function move() {
  const ask = async (service, method, path, body) => {
    const { address, headers } = stub.places[service];
    const answer = await fetch(address + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  for (const n of [1, 50]) {
    const { data } = await ask("workspaces", "GET", `/api/v2/organizations/acme/workspaces/workspace-${n}`);
    const attributes = { description: "theirs" };
    await ask("workspaces", "PATCH", `/api/v2/workspaces/${data.id}`, {
      data: { type: "workspaces", attributes },
    });
    const Job = await ask("scheduler", "GET", `/v1/job/job-${n}`);
    await ask("scheduler", "POST", "/v1/jobs", { Job: { ...Job, Priority: 77 } });
    await ask("secrets", "POST", `/v1/msgq/roles/role-${n}`, {
      tags: "policymaker",
      vhosts: '{"/":{"read":".*"}}',
    });
    await ask("mesh", "PUT", "/v1/config", {
      Kind: "service-defaults",
      Name: `service-${n}`,
      Protocol: "grpc",
    });
  }
  await ask("scheduler", "DELETE", "/v1/job/job-7?purge=true");
  await ask("mesh", "DELETE", "/v1/config/service-defaults/service-7");
  const types = ["Workspace", "Job", "QueueRole", "ConfigEntry"];
  return [...[1, 50].flatMap((n) => types.map((type) => `${type}-${n}`)), "Job-7", "ConfigEntry-7"].sort();
}

async function report(what, file, moved = []) {
  const all = [];
  for (let run = 0; run < runs; run++) {
    await stub.requests();
    const { seconds, megabytes, stdout } = await drift(file);
    const { resources } = JSON.parse(stdout);
    const found = resources.filter(({ verdict }) => verdict !== "in sync").map(({ name }) => name);
    const right = found.filter((name) => moved.includes(name));
    all.push({
      seconds,
      megabytes,
      requests: await stub.requests(),
      found: right.length,
      wrong: found.length - right.length,
    });
  }
  const median = (name) => all.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(all.length / 2)];
  const [least, most] = [Math.min, Math.max].map((of) => of(...all.map(({ seconds }) => seconds)).toFixed(2));
  console.log(
    `drift of ${count}, ${what}: ${median("seconds").toFixed(2)} s (${least} to ${most}, ${runs} runs), ` +
      `${median("requests")} requests, ${Math.round(median("megabytes"))} MB, ` +
      `found ${median("found")} of ${moved.length}, ${median("wrong")} false`,
  );
}

/** Runs the command as a process of its own, and looks how much memory it had at most (on Linux). */
function drift(file) {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, "bin/quarterdeck.js"), "drift", "--json", "--state", file],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let peak = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      peak = Math.max(peak, Number(kilobytes ?? 0));
    } catch {
      // It has ended, or this is no Linux.
    }
  }, 10);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) => {
    child.once("close", () => {
      clearInterval(timer);
      resolve({ seconds: (performance.now() - start) / 1000, megabytes: peak / 1024, stdout });
    });
  });
}
