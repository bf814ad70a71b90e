// Runs the whole test suite on the embedded engine; where there is a Pulumi CLI, the Automation API suite once more on
// it. Arguments go to jest, and then nothing is run twice.
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
    // A suite that could not even be loaded failed without a test of its own.
    const failed = Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
    return { passed: numPassedTests, failed, failures: testResults.flatMap(failuresOf) };
  } catch {
    return { passed: 0, failed: 1, failures: ["jest wrote no report"] };
  }
}

/** What failed in a file and why, cut short: the whole stands above, thousands of lines away. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  const texts = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join("\n")}`);
  if (failed.length === 0 && status === "failed") texts.push(message);
  return texts.map((text) => `${relative(process.cwd(), name)}: ${text}`.split("\n").slice(0, 30).join("\n"));
}

const asked = process.argv.slice(2);
jest("embedded engine", asked, { PULUMI_ENGINE: "embedded" });
if (asked.length === 0) {
  const { PULUMI_ENGINE: _, ...environment } = process.env;
  const found = pickEngine(environment, { print: (line) => console.log(line) });
  if (found.kind === "cli") {
    const path =
      found.root === undefined ? process.env.PATH : join(found.root, "bin") + delimiter + process.env.PATH;
    jest("Pulumi CLI", ["tests/stack", "tests/examples"], { PULUMI_ENGINE: "cli", PATH: path });
  }
}
rmSync(folder, { recursive: true, force: true });
for (const { failures } of runs) for (const failure of failures) console.log(`failed: ${failure}\n`);
for (const { name, passed, failed } of runs) console.log(`${name}: ${passed} passed, ${failed} failed`);
process.exit(runs.some(({ status }) => status !== 0) ? 1 : 0);
