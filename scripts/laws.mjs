// Tries the laws on values that they have not seen, and all that a run of the tests tries a part of: each round is a run
// of every property test under a fresh seed, or under the one in QUARTERDECK_SEED.
//   npm run laws                 one round
//   npm run laws -- 10           ten rounds
//   npm run laws -- 3 tests/steps/others.test.ts
//   npm run laws -- 1 in-process  what needs no engine: two stacks on one, and kills, take longer
//   npm run laws -- --minutes 60  a soak: two programs, a person and faults, two faults at a time in every definition's
//                                 lives, and stories on an engine, round after round until the time is up; it ends with
//                                 how many steps and commands that was
// A round that fails names its seed; QUARTERDECK_SEED=<seed> npx jest <file> repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

/** Of the steps, the core and the stub, without an engine. */
const IN_PROCESS = [
  "tests/steps",
  "tests/faults",
  "tests/core",
  "tests/stub",
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

/** Runs these tests under a fresh seed, or under the one that is asked for; whether they hold. */
function round(title, tests, environment = {}) {
  const seed = process.env.QUARTERDECK_SEED ?? String(randomInt(2 ** 31));
  console.log(`${title}: seed ${seed}`);
  const { status } = spawnSync("jest", tests, {
    stdio: "inherit",
    env: {
      ...process.env,
      QUARTERDECK_SEED: seed,
      QUARTERDECK_LAWS: "all",
      PULUMI_ENGINE: "embedded",
      ...environment,
    },
  });
  if (status !== 0) failed.push(seed);
}

/** What a soak does, in turns: each under a fresh seed. */
const TURNS = [
  ["tests/steps/interleav"],
  ["tests/faults/faults.test", "-t", "two faults at a time"],
  ["tests/steps/interleav"],
  ["tests/stack/interleavings"],
];

/** Stories of two programs and a person at a console, and of lives with faults, in turns with the same on an engine. */
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
  failed.length === 0 ? `laws: ${what} hold` : `laws: ${what}, broken under the seeds ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
