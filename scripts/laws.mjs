// Tries the laws on values that they have not seen, and all that a run of the tests tries a part of: each round is a run
// of every property test under a fresh seed, or under the one in QUARTERDECK_SEED.
//   npm run laws                 one round
//   npm run laws -- 10           ten rounds
//   npm run laws -- 3 tests/steps/others.test.ts
//   npm run laws -- 1 in-process  what needs no engine: two stacks on one, and kills, take longer
// A round that fails names its seed; QUARTERDECK_SEED=<seed> npx jest <file> repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

/** Of the steps, the core and the stub, without an engine. */
const IN_PROCESS = [
  "tests/steps",
  "tests/faults",
  "tests/core",
  "tests/stub",
  "tests/services/scheduler/watch",
  "tests/services/scheduler/jobWriters",
];

const [rounds = "1", ...asked] = process.argv.slice(2);
const files = asked.flatMap((file) => (file === "in-process" ? IN_PROCESS : [file]));
const tried = files.length > 0 ? files : [...IN_PROCESS, "tests/stack/interleavings", "tests/stack/kills"];
const failed = [];
for (let round = 1; round <= Number(rounds); round++) {
  const seed = process.env.QUARTERDECK_SEED ?? String(randomInt(2 ** 31));
  console.log(`round ${round} of ${rounds}: seed ${seed}`);
  const { status } = spawnSync("jest", tried, {
    stdio: "inherit",
    env: { ...process.env, QUARTERDECK_SEED: seed, QUARTERDECK_LAWS: "all", PULUMI_ENGINE: "embedded" },
  });
  if (status !== 0) failed.push(seed);
}
console.log(
  failed.length === 0 ? `laws: ${rounds} rounds hold` : `laws: broken under the seeds ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
