// Mutation tests: applies each mutation of tests/mutations in a scratch copy, runs the tests that should detect it, and
// prints which test failed. It fails if a mutation survives or is out of date, or if its tests fail on the unchanged code.
//   npm run mutations
//   npm run mutations -- "perhaps made"    the mutations whose description matches
//   node scripts/mutations.mjs --check     only checks that each mutation applies to the code
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answers } from "../tests/mutations/answers.mjs";
import { bridges } from "../tests/mutations/bridges.mjs";
import { clusters } from "../tests/mutations/clusters.mjs";
import { compare } from "../tests/mutations/compare.mjs";
import { discover } from "../tests/mutations/discover.mjs";
import { doctor } from "../tests/mutations/doctor.mjs";
import { drift } from "../tests/mutations/drift.mjs";
import { forecasts } from "../tests/mutations/forecasts.mjs";
import { gone } from "../tests/mutations/gone.mjs";
import { http } from "../tests/mutations/http.mjs";
import { indexed } from "../tests/mutations/indexed.mjs";
import { objects } from "../tests/mutations/objects.mjs";
import { onTheWay } from "../tests/mutations/onTheWay.mjs";
import { outputs } from "../tests/mutations/outputs.mjs";
import { outside } from "../tests/mutations/outside.mjs";
import { pipelines } from "../tests/mutations/pipelines.mjs";
import { plugin } from "../tests/mutations/plugin.mjs";
import { procedures } from "../tests/mutations/procedures.mjs";
import { realms } from "../tests/mutations/realms.mjs";
import { records } from "../tests/mutations/records.mjs";
import { rekey } from "../tests/mutations/rekey.mjs";
import { rights } from "../tests/mutations/rights.mjs";
import { secrets } from "../tests/mutations/secrets.mjs";
import { shared } from "../tests/mutations/shared.mjs";
import { steps } from "../tests/mutations/steps.mjs";
import { texts } from "../tests/mutations/texts.mjs";
import { tokens } from "../tests/mutations/tokens.mjs";
import { unread } from "../tests/mutations/unread.mjs";
import { warnings } from "../tests/mutations/warnings.mjs";
import { whose } from "../tests/mutations/whose.mjs";
import { workspaces } from "../tests/mutations/workspaces.mjs";
import { writes } from "../tests/mutations/writes.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const COPIED = [
  "command",
  "stacks",
  "drift",
  "discover",
  "programs",
  "doctor",
  "provider",
  "sdk",
  "testing",
  "tests",
  "generate",
  "examples",
  "bin",
  "dist",
  "plugin",
  "requests",
  "Pulumi.yaml",
  "schema.json",
  "package.json",
  "tsconfig.json",
  "jest.config.cjs",
];
const PIPELINES = "examples/pipelines/scripts";
/** The number of concurrent mutations. */
const AT_ONCE = Math.min(2, availableParallelism());
/** A timeout also detects a mutation that makes a test run forever. */
const LONGEST_MS = 180_000;

const isCheck = process.argv[2] === "--check";
const asked = new RegExp(isCheck ? "" : (process.argv[2] ?? ""));
const MUTATIONS = [
  ...writes,
  ...discover,
  ...doctor,
  ...drift,
  ...forecasts,
  ...gone,
  ...http,
  ...texts,
  ...tokens,
  ...unread,
  ...warnings,
  ...objects,
  ...onTheWay,
  ...outside,
  ...outputs,
  ...steps,
  ...whose,
  ...procedures,
  ...rekey,
  ...workspaces,
  ...indexed,
  ...clusters,
  ...compare,
  ...plugin,
  ...pipelines,
  ...realms,
  ...records,
  ...rights,
  ...secrets,
  ...shared,
  ...bridges,
  ...answers,
];
const waiting = MUTATIONS.filter(({ what }) => asked.test(what));
const total = waiting.length;
const bad = [];
/** The result of each selection of tests on the unchanged code. */
const unbroken = new Map();

/** The handwritten files in these folders, with their contents. */
function sourcesIn(folder) {
  return [
    "provider",
    "stacks",
    "drift",
    "discover",
    "programs",
    "doctor",
    "sdk/runtime",
    "command",
    PIPELINES,
  ].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true })
      .filter((file) => /\.m?ts$|\.mjs$/.test(file))
      .map((file) => join(folder, part, file))
      .map((file) => ({ file, text: readFileSync(file, "utf8") })),
  );
}

/** The file that contains the text of a mutation, wherever the code is now. */
function place({ find }, sources) {
  const found = sources.flatMap((source) => Array(source.text.split(find).length - 1).fill(source));
  if (found.length === 1) return found[0];
  throw new Error(
    `it is out of date: its text stands ${found.length === 0 ? "nowhere" : "in several places"}`,
  );
}

/** Reports mutations whose text occurs nowhere or several times. */
function placeAll() {
  const sources = sourcesIn(ROOT);
  for (const mutation of waiting) {
    try {
      place(mutation, sources);
    } catch (error) {
      console.error(`mutations: ${mutation.what}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

/** The first failed test; undefined if all passed. */
async function noticed({ tests, only, every }, folder) {
  const pattern = only === undefined ? [] : ["--testNamePattern", only];
  const bin = join(folder, "node_modules/.bin/jest");
  const jest = spawn(bin, ["-w", "1", "--bail", ...pattern, ...tests], {
    cwd: folder,
    env: { ...process.env, QUARTERDECK_STACKS: "all", ...(every && { FAULTS_EVERY: String(every) }) },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  jest.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const [status, signal] = await new Promise((done) => jest.once("close", (...how) => done(how)));
  if (signal !== null) return "no test ended in time";
  if (status !== 0) return /^ {2}● (.*)/m.exec(said)?.[1] ?? "a suite could not be run";
  if (!/^Tests: .*passed/m.test(said)) throw new Error("no test was tried");
  return undefined;
}

/** Runs the tests of a mutation on the unchanged code, once per selection of tests: tests that fail there prove nothing. */
async function tryUnbroken({ tests, only, every }, folder) {
  const key = JSON.stringify([tests, only, every]);
  if (!unbroken.has(key)) unbroken.set(key, noticed({ tests, only, every }, folder));
  const red = await unbroken.get(key);
  if (red !== undefined) throw new Error(`its tests are red on the code as it is: ${red}`);
}

async function worker() {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-mutations-"));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await attempt(one, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attempt(mutation, folder) {
  const began = Date.now();
  try {
    const { file, text } = place(mutation, sourcesIn(folder));
    await tryUnbroken(mutation, folder);
    writeFileSync(
      file,
      text.replace(mutation.find, () => mutation.replace),
    );
    try {
      const red = await noticed(mutation, folder);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      console.log(`${red === undefined ? "SURVIVED" : "noticed "} ${seconds} s  ${mutation.what}`);
      if (red === undefined) bad.push(mutation.what);
      else console.log(`           by: ${red}`);
    } finally {
      writeFileSync(file, text);
    }
  } catch (error) {
    console.log(`FAILED    ${mutation.what}: ${error.message}`);
    bad.push(mutation.what);
  }
}

if (isCheck) {
  placeAll();
} else {
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const what of bad) console.error(`mutations: not noticed: ${what}`);
  console.log(`mutations: ${total - bad.length} of ${total} noticed`);
  process.exitCode = bad.length === 0 ? 0 : 1;
}
