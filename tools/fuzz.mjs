// Feeds random bytes and mangled responses, states and texts to every parser: each input must be parsed correctly or refused
// with a remedy. It prints the slowest cases with their time.
//   npm run soak -- fuzz                  runs for a minute
//   npm run soak -- fuzz --minutes 10  runs for ten minutes
// A failed round prints its seed; QUARTERDECK_SEED=<seed> QUARTERDECK_PROPERTIES=all npx jest tests/fuzz repeats it.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" } } });
const end = Date.now() + Number(values.minutes) * 60_000;
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-fuzz-"));
const counts = join(folder, "counts");
const failed = [];
let rounds = 0;
do {
  const seed = process.env.QUARTERDECK_SEED ?? String(randomInt(2 ** 31));
  rounds += 1;
  console.log(`round ${rounds}: seed ${seed}`);
  const { status } = spawnSync("jest", ["tests/fuzz", "--silent"], {
    stdio: "inherit",
    env: {
      ...process.env,
      QUARTERDECK_SEED: seed,
      QUARTERDECK_PROPERTIES: "all",
      QUARTERDECK_FUZZED: counts,
    },
  });
  if (status !== 0) failed.push(seed);
} while (Date.now() < end && process.env.QUARTERDECK_SEED === undefined);
const suites = readFileSync(counts, "utf8").trim().split("\n").map(JSON.parse);
rmSync(folder, { recursive: true });
const tried = suites.reduce((sum, suite) => sum + suite.tried, 0);
const longest = suites.map((suite) => suite.longest).sort((one, other) => other.ms - one.ms);
for (const { what, ms } of longest.slice(0, 5)) console.log(`${Math.round(ms)} ms: ${what}`);
console.log(
  failed.length === 0
    ? `fuzz: ${tried.toLocaleString("en")} cases in ${rounds} rounds, each read or refused in words`
    : `fuzz: broken under the seeds ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
