// Runs jest, and reports its results by configuration.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-test-"));
const runs = [];

/** Runs jest, and remembers the result under a name. */
export function jest(name, args, env) {
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

/** Prints every failure and the counts of each run; returns true if all passed. */
export function report() {
  rmSync(folder, { recursive: true, force: true });
  for (const { failures } of runs) for (const failure of failures) console.log(`failed: ${failure}\n`);
  for (const { name, passed, failed } of runs) console.log(`${name}: ${passed} passed, ${failed} failed`);
  return runs.every(({ status }) => status === 0);
}
