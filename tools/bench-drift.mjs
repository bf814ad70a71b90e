// Measures `quarterdeck drift` on resources of every service, ten of them with drift: wall time including the start of the
// process, requests, peak memory, and whether it found exactly those ten, next to a refresh by the engine. Then it measures
// the time from an edit to the event of --watch, for servers with blocking queries.
//   node tools/bench-drift.mjs [--count 1000] [--runs 5] [--edits 500] [--plugin]
// PULUMI_ENGINE=cli or embedded selects the engine.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const require = createRequire(import.meta.url);
const { engineOf } = require("./engine.cjs");
const { openStack } = require("./bench/stack.cjs");
const { startStubProcess } = require("./bench/stubProcess.cjs");
const { mixes, programs } = require("./bench/programs.cjs");

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    runs: { type: "string", default: "5" },
    edits: { type: "string", default: "500" },
    plugin: { type: "boolean", default: false },
  },
});
const [count, runs, edits] = [Number(values.count), Number(values.runs), Number(values.edits)];
/** The number of the last resource of each type; the check below requires at least ten. */
const last = count / 5 - 1;
if (last < 9) throw new Error("--count is 50 at least");
const engine = await engineOf({ otherwise: "embedded" });
const [mix] = mixes;
const subject = programs(count, mix)[values.plugin ? "by the plugin" : "quarterdeck"];

const stub = await startStubProcess();
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-drift-"));
try {
  const stack = await openStack(folder, {
    name: "bench",
    command: engine.command,
    program: subject.program,
    byPlugin: values.plugin,
    settings: stub.settings,
  });
  await stack.up();
  const file = join(folder, "state.json");
  writeFileSync(file, JSON.stringify(await stack.exportStack()));
  await report("nothing moved", file);
  await reportWatch(file);
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

/** Sends a request like another user at a console. */
async function ask(service, method, path, body) {
  const { address, headers } = stub.places[service];
  const answer = await fetch(address + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Changes objects one after the other while a watch is running, and restores them at the end. */
async function reportWatch(file) {
  const child = spawn(
    process.execPath,
    [join(root, "cli/quarterdeck.js"), "drift", "--watch", "--json", "--interval", "3600", "--state", file],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (isIt) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the watch has ended");
      const event = JSON.parse(value);
      if (isIt(event)) return event;
    }
  };
  const { waiting } = await next(({ event }) => event === "began");
  const times = [];
  const edit = async (id, isTold, ...request) => {
    const start = performance.now();
    await ask(...request);
    await next((event) => event.event === "resource" && event.id.endsWith(id) && isTold(event));
    times.push(performance.now() - start);
  };
  for (let number = 0; number < edits; number++) {
    const n = 1 + (number % Math.min(20, last));
    const Job = await ask("scheduler", "GET", `/v1/job/job-${n}`);
    const entry = { Kind: "service-defaults", Name: `service-${n}` };
    const before = await ask("mesh", "GET", `/v1/config/service-defaults/service-${n}`);
    const drifts = ({ verdict }) => verdict === "drifted";
    const isBack = ({ verdict }) => verdict === "in sync";
    const priority = { ...Job, Priority: 77 };
    await edit(`/job-${n}`, drifts, "scheduler", "POST", "/v1/jobs", { Job: priority });
    await edit(`/job-${n}`, isBack, "scheduler", "POST", "/v1/jobs", { Job });
    await edit(`/service-${n}`, drifts, "mesh", "PUT", "/v1/config", { ...entry, Protocol: "grpc" });
    await edit(`/service-${n}`, isBack, "mesh", "PUT", "/v1/config", before);
  }
  child.kill("SIGINT");
  times.sort((a, b) => a - b);
  const at = (part) => `${times[Math.floor((times.length - 1) * part)].toFixed(0)} ms`;
  console.log(
    `watch of ${count}, of which ${waiting} tell of themselves: from an edit to what is told p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
      `most ${at(1)} (${times.length} edits)`,
  );
}

/** Changes objects like another user at a console; returns the names of the changed resources. */
async function move() {
  const others = [1, Math.min(50, last)];
  for (const n of others) {
    const { data } = await ask("workspaces", "GET", `/api/v2/organizations/acme/workspaces/workspace-${n}`);
    const attributes = { description: "theirs" };
    await ask("workspaces", "PATCH", `/api/v2/workspaces/${data.id}`, {
      data: { type: "workspaces", attributes },
    });
    const Job = await ask("scheduler", "GET", `/v1/job/job-${n}`);
    await ask("scheduler", "POST", "/v1/jobs", { Job: { ...Job, Priority: 77 } });
    await ask("secrets", "POST", `/v1/rabbitmq/roles/role-${n}`, {
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
  return [...others.flatMap((n) => types.map((type) => `${type}-${n}`)), "Job-7", "ConfigEntry-7"].sort();
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

/** Runs the command in its own process, and records its peak memory (on Linux). */
function drift(file) {
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, "cli/quarterdeck.js"), "drift", "--json", "--state", file],
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
      // The process has ended, or this is not Linux.
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
