// Runs the services' stories on real servers: for each program on the PATH, it starts one server on loopback, and runs the
// property tests of tests/steps and the suite's own stories. It also compares the server's responses with the recorded ones.
//   npm run verify -- real                 every program on the PATH
//   npm run verify -- real nomad bao    only these
//   npm run verify -- real bao tests/steps/noChanges.test.ts
// With QUARTERDECK_RECORD=1 it writes the responses to tests/recorded instead.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const PROGRAMS = ["nomad", "bao", "otfd", "consul"];

/** Additional programs that some stories need. */
const BESIDE = { bao: ["slapd", "epmd"], otfd: [process.env.QUARTERDECK_TERRAFORM ?? "terraform"] };

/** The property tests that make sense on a server without seeded data. */
const PROPERTY_TESTS = [
  "noChanges",
  "otherUsers",
  "losses",
  "preview",
  "requests",
  "sharedReads",
  "interleavings",
  "interleavedLosses",
];
const SECRETS_TESTS = ["oneTimeActions", "procedures"];

/** The timeout for one server's stories. */
const LONGEST_MS = 30 * 60_000;

function isFound(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(resolve(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function filesOf(program) {
  const further = { bao: SECRETS_TESTS, otfd: ["oneTimeActions"] }[program] ?? [];
  return [...[...PROPERTY_TESTS, ...further].map((name) => `tests/steps/${name}.test.ts`), "tests/real"];
}

const asked = process.argv.slice(2);
const programs = asked.filter((one) => PROGRAMS.includes(one));
const files = asked.filter((one) => !PROGRAMS.includes(one));
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-real-"));
const runs = [];
const notRun = [];
for (const program of programs.length > 0 ? programs : PROGRAMS) {
  if (!isFound(program)) {
    notRun.push(program);
    continue;
  }
  for (const one of BESIDE[program] ?? [])
    if (!isFound(one)) notRun.push(`${program}'s stories that need ${one}`);
  const report = join(folder, `${program}.json`);
  const { status } = spawnSync(
    "jest",
    [
      ...["--config", "tests/real/jest.config.cjs", "--runInBand", "--json", `--outputFile=${report}`],
      ...(files.length > 0 ? files : filesOf(program)),
    ],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, QUARTERDECK_REAL: program },
      timeout: LONGEST_MS,
    },
  );
  runs.push({ program, status, ...countsIn(report) });
}
rmSync(folder, { recursive: true, force: true });

function countsIn(report) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    return {
      passed: numPassedTests,
      failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
      passedOver: numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 1, passedOver: 0 };
  }
}

for (const one of notRun) console.log(`real ${one}: not found on the PATH, not run`);
for (const { program, passedOver } of runs)
  if (passedOver > 0) console.log(`real ${program}: ${passedOver} not run, because it lacks what they need`);
for (const { program, passed, failed } of runs)
  console.log(`real ${program}: ${passed} passed, ${failed} failed`);
console.log(`real: ${runs.length} servers tried, ${notRun.length} not run`);
process.exit(runs.some(({ status }) => status !== 0) ? 1 : 0);
