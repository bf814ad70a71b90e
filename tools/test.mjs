// Runs the test suite with the embedded engine and dynamic providers.
//   npm test                            the tests that run in one process each, in a few minutes
//   npm test -- --complete              all tests, as `npm run verify` does
//   npm test -- tests/steps -t Job      other arguments are passed to jest
import { jest, report } from "./jest.mjs";

/** Tests that start engines, commands, servers or package managers, or that inject every fault. */
const SLOW = [
  "testing/tests/",
  "tests/command/",
  "tests/docs/(comingFrom|commands|conflicts|firstHour|testing)\\.test",
  "tests/(examples|faults|fuzz|install|pipelines|stack)/",
];

const asked = process.argv.slice(2);
const isComplete = asked[0] === "--complete";
const args =
  asked.length === 0
    ? ["--testPathIgnorePatterns", ...SLOW.map((path) => `<rootDir>/${path}`)]
    : asked.slice(isComplete ? 1 : 0);
jest("embedded engine", args, { PULUMI_ENGINE: "embedded" });
const passed = report();
if (asked.length === 0)
  console.log("test: the tests of engines, commands and faults were left out; npm run verify runs all");
process.exit(passed ? 0 : 1);
