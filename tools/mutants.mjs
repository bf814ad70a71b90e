// Mutation tests of the core: changes the code of operations, diff and state in many places, one at a time, and runs the tests
// that cover each place. A mutant that no test notices survives. It fails if fewer than 85 % of the mutants are noticed.
//   npm run soak -- mutants          400 mutants, chosen by QUARTERDECK_SEED (default: 1)
//   npm run soak -- mutants 40       another number
//   npm run soak -- mutants all      every mutant
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const OWN = join(import.meta.dirname, "mutants");
const SOURCES = "provider/core/{operations,diff,state}/**/*.ts";
/** Texts of messages are asserted by few tests, on purpose. */
const EXCLUDED = ["StringLiteral"];
/** How many mutants a range of the sample may contain. */
const MOST_INSIDE = 3;
/** A runtime error is a file of tests that does not load with the mutant. */
const NOTICED = ["Killed", "Timeout", "RuntimeError"];
/** The least share of mutants that tests must notice, in percent. */
const LEAST = 85;

const QUIET = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
  isDebugEnabled: () => false,
};

const asked = process.argv[2] ?? "400";
const seed = Number(process.env.QUARTERDECK_SEED ?? 1);

if (!existsSync(join(OWN, "node_modules")))
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: OWN, stdio: "inherit" });
const { resolve } = createRequire(join(OWN, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const [{ Instrumenter }, { Stryker }] = await Promise.all([
  load("@stryker-mutator/instrumenter"),
  load("@stryker-mutator/core"),
]);

const folder = mkdtempSync(join(tmpdir(), "mutants-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.env.QUARTERDECK_MUTANTS_TESTS = join(folder, "tests.json");
const places = asked === "all" ? [SOURCES] : sampleOf(await allPlaces(), Number(asked));
const began = Date.now();
const results = await new Stryker({
  mutate: places,
  mutator: { excludedMutations: EXCLUDED },
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner", join(OWN, "reporter.mjs")],
  jest: { configFile: join("tools", "mutants", "jest.config.cjs"), enableFindRelatedTests: true },
  coverageAnalysis: "perTest",
  // Code that runs while a module loads needs every test.
  ignoreStatic: true,
  concurrency: 2,
  disableTypeChecks: false,
  ignorePatterns: ["docs/reference", "examples", "tools/mutants/node_modules", "website"],
  tempDirName: ".stryker-tmp",
  timeoutMS: 60_000,
  // A timeout counts as noticed, so that other work on the machine must not cause one.
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 60,
  reporters: ["survivors", "progress-append-only", "clear-text"],
  // A process grows with each run.
  maxTestRunnerReuse: 40,
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  allowConsoleColors: false,
}).runMutationTest();
report(results);

/**
 * The places that can be mutated, as Stryker's ranges. A range selects every mutant inside it, so that large ones, such as the
 * body of a function, are left out of a sample: nearly every test notices that a body is missing.
 */
async function allPlaces() {
  const files = globSync(SOURCES, { cwd: ROOT })
    .sort()
    .map((name) => ({ name, mutate: true, content: readFileSync(join(ROOT, name), "utf8") }));
  const options = { plugins: null, ignorers: [], excludedMutations: EXCLUDED };
  const { mutants: found } = await new Instrumenter(QUIET).instrument(files, options);
  const isIn = (outer, { location: { start, end }, fileName }) =>
    fileName === outer.fileName &&
    !isBefore(start, outer.location.start) &&
    !isBefore(outer.location.end, end);
  const places = new Map();
  for (const outer of found) {
    const count = found.filter((mutant) => isIn(outer, mutant)).length;
    if (count <= MOST_INSIDE) places.set(rangeOf(outer), count);
  }
  return [...places].map(([range, count]) => ({ range, count }));
}

function isBefore(one, other) {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

/** Stryker counts lines from 0 inside, and from 1 in ranges. */
function rangeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** Places with at least so many mutants, chosen without replacement; the same for the same seed. */
function sampleOf(all, wanted) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const shuffled = all
    .map((place) => ({ ...place, order: next() }))
    .sort((one, other) => one.order - other.order);
  const chosen = [];
  let sum = 0;
  for (const { range, count } of shuffled) {
    if (sum >= wanted) break;
    chosen.push(range);
    sum += count;
  }
  return chosen;
}

function report(all) {
  const counted = all.filter(({ status }) => [...NOTICED, "Survived", "NoCoverage"].includes(status));
  const noticed = counted.filter(({ status }) => NOTICED.includes(status));
  const share = (100 * noticed.length) / counted.length;
  const minutes = Math.ceil((Date.now() - began) / 60_000);
  console.log(
    `mutants: ${noticed.length} of ${counted.length} noticed (${share.toFixed(1)} %), seed ${seed}, ${minutes} minutes`,
  );
  if (!(share >= LEAST)) process.exitCode = 1;
}
