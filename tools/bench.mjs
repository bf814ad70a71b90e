// Measures 1,000 resources of every service and 1,000 jobs, per operation and on both bridges: wall time, processor time,
// requests, peak memory of the provider's process and size of the state. It compares them with a dynamic provider and a
// plugin that do nothing, and with a dynamic provider that sends the same requests with plain undici. Then it measures the
// start time of the plugin, the steps of one job with 100,000 keys, and the time between a read and the delete after it.
//   node tools/bench.mjs [--count 1000] [--runs 1] [--only quarterdeck,by the plugin]
// PULUMI_ENGINE=cli or embedded selects the engine.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const require = createRequire(import.meta.url);
const { engineOf } = require("./engine.cjs");
const { OWN_PLUGIN, openStack } = require("./bench/stack.cjs");
const { startStubProcess } = require("./bench/stubProcess.cjs");
const { mixes, programs } = require("./bench/programs.cjs");
const { measureLargeJob } = require("./bench/largeJob.cjs");
const { measureRedacting } = require("./bench/redact.cjs");
const { measureStart } = require("./bench/start.cjs");
const { measureWindows } = require("./bench/window.cjs");
const { watchProcesses } = require("./bench/processes.cjs");
const { tableOf } = require("./bench/table.cjs");

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    runs: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const [count, runs] = [Number(values.count), Number(values.runs)];
const only = values.only?.split(",");
const engine = await engineOf({ otherwise: "embedded" });

/** The engine's plugins: this package's, and one that does nothing. */
const PLUGINS = [OWN_PLUGIN, { name: "nothing", path: join(import.meta.dirname, "bench/nothing") }];

const OPERATIONS = ["preview", "up", "no-op up", "refresh", "destroy"];

for (const mix of mixes) {
  const subjects = Object.entries(programs(count, mix)).filter(([name]) => only?.includes(name) ?? true);
  const measured = new Map();
  // Alternates between the subjects, so that a slow minute of the machine affects all of them.
  for (let run = 0; run < runs; run++) {
    for (const [name, subject] of subjects) {
      for (const figure of await measure(subject)) {
        const key = `${name}/${figure.operation}`;
        measured.set(key, [...(measured.get(key) ?? []), figure]);
      }
    }
  }
  console.log(`\n${count} ${mix}, on ${engine.describe}, median of ${runs} run(s)\n`);
  console.log(
    tableOf(
      OPERATIONS,
      subjects.map(([name]) => name),
      measured,
    ),
  );
}

await reportStart();
await reportLargeJob();
reportRedacting();
await reportWindows();

/** Runs every operation on a stack with this program. */
async function measure(subject) {
  const stub = await startStubProcess();
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-bench-"));
  try {
    const stack = await openStack(folder, {
      name: "bench",
      command: engine.command,
      program: subject.program,
      byPlugin: subject.byPlugin,
      settings: stub.settings,
      plugins: PLUGINS,
      environment: { QUARTERDECK_BENCH: JSON.stringify(stub.places) },
    });
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
      const processes = watchProcesses(stub.process);
      const start = performance.now();
      await run[operation]();
      const seconds = (performance.now() - start) / 1000;
      const { own, below, megabytes } = processes.stop();
      // The embedded engine shares this process with the program; the CLI does not.
      const cpu = engine.kind === "cli" ? below : own + below;
      const requests = await stub.requests();
      figures.push({ operation, seconds, cpu, requests, megabytes, state: stateSize(folder) / 1024 });
    }
    return figures;
  } finally {
    await stub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function stateSize(folder) {
  const stacks = join(folder, "state/.pulumi/stacks");
  if (!existsSync(stacks)) return 0;
  return readdirSync(stacks, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "bench.json")
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

async function reportStart() {
  for (const [name, { milliseconds, megabytes }] of Object.entries(await measureStart(PLUGINS)))
    console.log(
      `\nthe plugin ${name} prints its port after ${Math.round(milliseconds)} ms, ${Math.round(megabytes)} MB`,
    );
}

/** Every value of the text is different, so that no part can be skipped. */
async function reportLargeJob() {
  const keys = 100_000;
  const stub = await startStubProcess();
  try {
    const steps = Object.entries(await measureLargeJob(keys, stub.settings));
    const texts = steps.map(([step, milliseconds]) => `${step} ${Math.round(milliseconds)} ms`);
    console.log(`\none job of ${keys} keys as JSON text, CPU time: ${texts.join(", ")}`);
  } finally {
    await stub.stop();
  }
}

/** The time for masking texts of each length; it should grow linearly. */
function reportRedacting() {
  const { sizes, rows, many } = measureRedacting();
  console.log(`\nmasking, ms of CPU time for ${sizes.join(", ")} characters`);
  for (const [name, ...times] of rows)
    console.log(`  ${name.padEnd(14)} ${times.map((time) => time.toFixed(1).padStart(9)).join("")}`);
  console.log(`  100 secrets of 100 kB: ${Math.round(many)} ms`);
}

/** The time on the client between a read and the delete after it; the network adds a round trip. */
async function reportWindows() {
  const stub = await startStubProcess();
  try {
    const windows = await measureWindows({ count: 300, atOnce: [1, 16, 64], settings: stub.settings });
    console.log("\nmilliseconds from the response to a read until the delete after it\n");
    console.log("| resource | concurrent deletes | median | 99 % | maximum |\n|---|---|---|---|---|");
    for (const [token, byMany] of Object.entries(windows))
      for (const [many, sorted] of Object.entries(byMany)) {
        const within = [0.5, 0.99, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1].toFixed(1));
        console.log(`| ${token} | ${many} | ${within.join(" | ")} |`);
      }
  } finally {
    await stub.stop();
  }
}
