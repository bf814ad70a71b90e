// Runs the property tests with new random values, and completely where `npm test` runs only a part. Each round runs every
// property test with a new seed, or with the seed in QUARTERDECK_SEED.
//   npm run soak -- properties                 one round
//   npm run soak -- properties 10           ten rounds
//   npm run soak -- properties 3 tests/steps/otherUsers.test.ts
//   npm run soak -- properties 1 in-process  only tests without an engine: concurrent stacks and kills take longer
//   npm run soak -- properties --minutes 60  a soak test: two programs, another user and faults, two faults at a time for every
//                                 definition, and stories on an engine, repeated until the time is up; it ends with the
//                                 number of steps and commands
// A failed round prints its seed; QUARTERDECK_SEED=<seed> npx jest <file> repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

/** The tests of the steps, the core and the stub, without an engine. */
const IN_PROCESS = [
  "tests/steps",
  "tests/faults",
  "tests/core",
  "testing/tests/stub",
  "tests/services/scheduler/watch",
  "tests/services/scheduler/jobWriters",
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string" } },
});
const [rounds = "1", ...asked] = positionals;
const files = asked.flatMap((file) => (file === "in-process" ? IN_PROCESS : [file]));
const tried = files.length > 0 ? files : [...IN_PROCESS, "tests/stack/interleavings", "tests/stack/kills"];

/** Runs these tests with a new seed, or with the given one; returns whether they pass. */
function round(title, tests, environment = {}) {
  const seed = process.env.QUARTERDECK_SEED ?? String(randomInt(2 ** 31));
  console.log(`${title}: seed ${seed}`);
  const { status } = spawnSync("jest", tests, {
    stdio: "inherit",
    env: {
      ...process.env,
      QUARTERDECK_SEED: seed,
      QUARTERDECK_PROPERTIES: "all",
      PULUMI_ENGINE: "embedded",
      ...environment,
    },
  });
  if (status !== 0) failed.push(seed);
}

/** The rotation of a soak test; each turn has a new seed. */
const TURNS = [
  ["tests/steps/interleav"],
  ["tests/faults/faults.test", "-t", "two faults in one command"],
  ["tests/steps/interleav"],
  ["tests/stack/interleavings"],
];

/** Runs stories of two programs and another user, and of lifecycles with faults, alternating with the same on an engine. */
function soak(minutes) {
  const end = Date.now() + minutes * 60_000;
  const counted = join(mkdtempSync(join(tmpdir(), "quarterdeck-soak-")), "counted.jsonl");
  const environment = { QUARTERDECK_COUNTED: counted };
  let number = 0;
  while (Date.now() < end) {
    number += 1;
    const title = `round ${number}, ${Math.ceil((end - Date.now()) / 60_000)} minutes to go`;
    round(title, TURNS[(number - 1) % TURNS.length], environment);
  }
  const totals = { steps: 0, commands: 0 };
  for (const line of readFileSync(counted, "utf8").trim().split("\n")) {
    const [what, times] = JSON.parse(line);
    totals[what] += times;
  }
  rmSync(dirname(counted), { recursive: true });
  return `${number} rounds, ${totals.steps.toLocaleString("en")} steps and ${totals.commands.toLocaleString("en")} commands`;
}

const failed = [];
let what = `${rounds} rounds`;
if (options.minutes !== undefined) what = soak(Number(options.minutes));
else for (let number = 1; number <= Number(rounds); number++) round(`round ${number} of ${rounds}`, tried);
console.log(
  failed.length === 0
    ? `properties: ${what} passed`
    : `properties: ${what}, failed with the seeds ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
