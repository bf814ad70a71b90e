// What 1,000 resources of every service cost, and 1,000 jobs, operation by operation: wall time, requests, peak memory
// of the provider's process and size of the state; beside a dynamic provider that does nothing, and one that makes the
// same requests with bare undici. Then what the steps of one job of 100,000 keys cost.
//   node scripts/bench.mjs [--count 1000] [--runs 1]
// PULUMI_ENGINE=cli or embedded chooses the engine.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
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
const { measureLargeJob } = require("../bench/largeJob.cjs");

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: { count: { type: "string", default: "1000" }, runs: { type: "string", default: "1" } },
});
const [count, runs] = [Number(values.count), Number(values.runs)];
const engine = await engineOf({ otherwise: "embedded" });

const OPERATIONS = ["preview", "up", "no-op up", "refresh", "destroy"];

for (const mix of mixes) {
  const subjects = programs(count, mix);
  const measured = new Map();
  for (let run = 0; run < runs; run++) {
    for (const [subject, program] of Object.entries(subjects)) {
      for (const figure of await measure(program)) {
        const key = `${subject}/${figure.operation}`;
        measured.set(key, [...(measured.get(key) ?? []), figure]);
      }
    }
  }
  report(mix, Object.keys(subjects), measured);
}

await reportLargeJob();

/** One life of a stack with this program, operation by operation. */
async function measure(program) {
  const stub = await startStubProcess();
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-bench-"));
  try {
    const stack = await openStack(folder, program, stub);
    const run = {
      preview: () => stack.preview(),
      up: () => stack.up(),
      "no-op up": () => stack.up(),
      refresh: () => stack.refresh(),
      destroy: () => stack.destroy(),
    };
    const figures = [];
    for (const operation of OPERATIONS) {
      await stub.requests();
      const memory = watchMemory();
      const start = performance.now();
      await run[operation]();
      const seconds = (performance.now() - start) / 1000;
      figures.push({
        operation,
        seconds,
        requests: await stub.requests(),
        megabytes: memory.stop() / 1024,
        state: stateSize(folder),
      });
    }
    return figures;
  } finally {
    await stub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openStack(folder, program, stub) {
  for (const name of ["work", "state"]) mkdirSync(join(folder, name));
  const workspace = await LocalWorkspace.create({
    workDir: join(folder, "work"),
    pulumiCommand: engine.command,
    program,
    projectSettings: { name: "bench", runtime: "nodejs", main: root },
    envVars: {
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      QUARTERDECK_BENCH: JSON.stringify(stub.places),
    },
  });
  const stack = await Stack.create("bench", workspace);
  for (const [service, settings] of Object.entries(stub.settings)) {
    await stack.setConfig(`quarterdeck:${service}`, { value: JSON.stringify(settings), secret: true });
  }
  return stack;
}

/** The most memory, in KiB, that any provider host below this process has had in use so far. */
function watchMemory() {
  let peak = 0;
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("dynamic-provider")) continue;
        if (!isBelowUs(pid)) continue;
        const line = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
        peak = Math.max(peak, Number(line?.[1] ?? 0));
      } catch {
        // It has ended in between.
      }
    }
  };
  if (!existsSync("/proc/self/status")) return { stop: () => Number.NaN };
  const timer = setInterval(look, 100);
  return {
    stop() {
      look();
      clearInterval(timer);
      return peak;
    },
  };
}

function isBelowUs(pid) {
  for (let at = pid; at !== "0" && at !== undefined; ) {
    if (Number(at) === process.pid) return true;
    at = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1];
  }
  return false;
}

function stateSize(folder) {
  const stacks = join(folder, "state/.pulumi/stacks");
  if (!existsSync(stacks)) return 0;
  return readdirSync(stacks, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "bench.json")
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function report(mix, subjects, measured) {
  const median = (subject, operation, name) => {
    const all = (measured.get(`${subject}/${operation}`) ?? [])
      .map((figure) => figure[name])
      .sort((a, b) => a - b);
    return all[Math.floor(all.length / 2)] ?? Number.NaN;
  };
  const [own, bare, nothing] = subjects;
  console.log(`\n${count} ${mix}, on ${engine.describe}, median of ${runs} run(s)\n`);
  const header = [
    "operation",
    "subject",
    "seconds",
    "requests",
    "peak MB",
    "state KB",
    "of bare",
    "of nothing",
  ];
  const rows = OPERATIONS.flatMap((operation) =>
    subjects.map((subject) => {
      const seconds = median(subject, operation, "seconds");
      const ratio = (other) => (seconds / median(other, operation, "seconds")).toFixed(2);
      return [
        operation,
        subject,
        seconds.toFixed(2),
        String(median(subject, operation, "requests")),
        median(subject, operation, "megabytes").toFixed(0),
        (median(subject, operation, "state") / 1024).toFixed(0),
        subject === own ? ratio(bare) : "",
        subject === own ? ratio(nothing) : "",
      ];
    }),
  );
  const table = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
}

/** Text of which every value differs: nothing of it can be passed over. */
async function reportLargeJob() {
  const keys = 100_000;
  const stub = await startStubProcess();
  try {
    const steps = Object.entries(await measureLargeJob(keys, stub.settings));
    const texts = steps.map(([step, milliseconds]) => `${step} ${Math.round(milliseconds)} ms`);
    console.log(`\none job of ${keys} keys as JSON text, of the process's own time: ${texts.join(", ")}`);
  } finally {
    await stub.stop();
  }
}
