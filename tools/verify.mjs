// Runs everything that a change must pass: the tests, the checks, the Automation API suite in its other configurations, the
// suites on the real servers that are on the PATH, the installs, the documentation site, the demo on both bridges, and the
// complete property tests as far as time allows. It ends with one line, "N passed, N failed".
//   npm run verify                             everything
//   npm run verify -- stacks                   one step: test, check, stacks, real, installs, website, demo or properties
//   npm run verify -- real bao                 a step with its own arguments
import { OUT_OF_TIME, run } from "./steps.mjs";

/** The steps in their order, each with its runs. */
const STEPS = {
  test: [{ script: "test.mjs", args: ["--complete"] }],
  check: [{ script: "check.mjs" }],
  stacks: [{ script: "stacks.mjs" }],
  real: [{ script: "real.mjs" }],
  installs: [{ script: "installs.mjs" }],
  website: [{ script: "website.mjs" }],
  demo: [{ script: "demo.mjs" }, { script: "demo.mjs", env: { QUARTERDECK_BRIDGE: "plugin" } }],
  properties: [{ script: "properties.mjs", args: ["1", "in-process"] }],
};

/** The limits of a pipeline of 90 minutes, in seconds: the complete property tests start before the first one and end at the second. */
const PROPERTIES_START = 75 * 60;
const PROPERTIES_END = 80 * 60;

// The property tests try the same values in every run, so that a failure comes from the change.
process.env.QUARTERDECK_SEED ??= "1";

const started = Date.now();
const seconds = () => (Date.now() - started) / 1000;
const total = { passed: 0, failed: 0 };
const failures = [];

/** The numbers of tests in the lines "…: N passed, N failed" of a step. */
function countsIn(printed) {
  const lines = [...printed.matchAll(/^.*: (\d+) passed, (\d+) failed$/gm)];
  if (lines.length === 0) return undefined;
  const sum = (column) => lines.reduce((all, line) => all + Number(line[column]), 0);
  return { passed: sum(1), failed: sum(2) };
}

async function step(name, { script, args = [], env }, own) {
  const limit = name === "properties" && own === undefined ? { seconds: PROPERTIES_END - seconds() } : {};
  const { status, printed } = await run(script, own ?? args, { env, ...limit });
  const counts = countsIn(printed);
  // What ran out of time has neither passed nor failed, unless a test has failed before.
  if (status === OUT_OF_TIME && !/^FAIL/m.test(printed)) {
    console.log(`${name}: there was no more time`);
    return;
  }
  total.passed += counts?.passed ?? (status === 0 && name !== "real" ? 1 : 0);
  total.failed += counts?.failed ?? 0;
  if (status === 0) return;
  if ((counts?.failed ?? 0) === 0) total.failed += 1;
  failures.push(`── failed: ${name}\n${printed.split("\n").slice(-120).join("\n")}`);
}

const [asked, ...own] = process.argv.slice(2);
if (asked !== undefined && !(asked in STEPS)) {
  console.error(`verify: no step ${asked}; the steps are ${Object.keys(STEPS).join(", ")}`);
  process.exit(2);
}
for (const [name, runs] of Object.entries(STEPS)) {
  if (asked !== undefined && name !== asked) continue;
  if (asked === undefined && name === "properties" && seconds() > PROPERTIES_START) continue;
  for (const each of runs) await step(name, each, own.length > 0 ? own : undefined);
}
for (const failure of failures) console.log(failure);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
