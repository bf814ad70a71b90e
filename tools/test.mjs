// Runs the complete test suite with the embedded engine and dynamic providers. With `stacks` as the only argument it runs
// the Automation API suite in the other configurations: with the plugin and, if a Pulumi CLI is installed, with the CLI on
// both bridges. It also runs completely what a normal run covers in part. Other arguments are passed to jest.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";

const require = createRequire(import.meta.url);
const { pickEngine } = require("pulumi-quarterdeck-testing");

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-test-"));
const runs = [];

function jest(name, args, env) {
  const report = join(folder, `${runs.length}.json`);
  const { status } = spawnSync("jest", ["--json", `--outputFile=${report}`, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env },
  });
  runs.push({ name, status, ...countsIn(report) });
}

function countsIn(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    // A suite that could not be loaded has no failed tests, but counts as a failure.
    const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
    return { passed: numPassedTests, failed, failures: testResults.flatMap(failuresOf) };
  } catch {
    return { passed: 0, failed: 1, failures: ["jest wrote no report"] };
  }
}

/** The failures of a file, cut short; the complete output is thousands of lines above. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  const texts = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join("\n")}`);
  if (failed.length === 0 && status === "failed") texts.push(message);
  return texts.map((text) => `${relative(process.cwd(), name)}: ${text}`.split("\n").slice(0, 30).join("\n"));
}

const asked = process.argv.slice(2);
if (asked.length === 1 && asked[0] === "stacks") stacks();
else jest("embedded engine", asked, { PULUMI_ENGINE: "embedded" });

function stacks() {
  // `npm test` runs each definition's property tests in one dialect; here they run in the other one.
  jest("embedded engine, other dialect", ["tests/steps"], {
    PULUMI_ENGINE: "embedded",
    QUARTERDECK_TEST_DIALECT: "other",
  });
  const byPlugin = { QUARTERDECK_BRIDGE: "plugin" };
  const suites = ["tests/stack", "tests/examples"];
  const whole = [
    "tests/examples",
    "tests/pipelines",
    "tests/command/import",
    "tests/install/templates",
    "tests/stack/staleCredentials",
  ];
  jest("embedded engine, all ways", whole, { PULUMI_ENGINE: "embedded", QUARTERDECK_STACKS: "all" });
  jest("embedded engine, by the plugin", suites, { PULUMI_ENGINE: "embedded", ...byPlugin });
  const { PULUMI_ENGINE: _, ...others } = process.env;
  const found = pickEngine(others, { print: (line) => console.log(line) });
  if (found.kind !== "cli") return;
  const path =
    found.root === undefined ? process.env.PATH : join(found.root, "bin") + delimiter + process.env.PATH;
  const environment = { PULUMI_ENGINE: "cli", PATH: path };
  jest("Pulumi CLI", suites, environment);
  jest("Pulumi CLI, by the plugin", suites, { ...environment, ...byPlugin });
}

rmSync(folder, { recursive: true, force: true });
for (const { failures } of runs) for (const failure of failures) console.log(`failed: ${failure}\n`);
for (const { name, passed, failed } of runs) console.log(`${name}: ${passed} passed, ${failed} failed`);
process.exit(runs.some(({ status }) => status !== 0) ? 1 : 0);
