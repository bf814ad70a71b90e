// Runs the tests that take hours, each for as long as asked: property tests with new values, every fault at every request,
// malformed inputs, many resources behind bad gateways, and mutations of the core.
//   npm run soak                      all of them once
//   npm run soak -- properties 10           one of them with its arguments: properties, faults, fuzz, load or mutants
//   npm run soak -- properties --minutes 60
//   npm run soak -- faults --real
import { run } from "./steps.mjs";

const PARTS = ["properties", "faults", "fuzz", "load", "mutants"];

const [asked, ...own] = process.argv.slice(2);
if (asked !== undefined && !PARTS.includes(asked)) {
  console.error(`soak: no part ${asked}; the parts are ${PARTS.join(", ")}`);
  process.exit(2);
}
for (const part of asked === undefined ? PARTS : [asked]) {
  const { status } = await run(`${part}.mjs`, own);
  if (status !== 0) process.exitCode = 1;
}
