// Runs the test suite with the embedded engine and dynamic providers.
//   npm test                            everything, without the tests of the second package if it has not changed since
//                                       they last passed here
//   npm test -- --complete              everything
//   npm test -- tests/steps -t Job      other arguments are passed to jest
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { jest, report } from "./jest.mjs";

const root = join(import.meta.dirname, "..");
const STAMP = join(root, ".cache/testing-passed");

/** The hash of everything that the tests of the second package depend on. */
function fingerprint() {
  const folder = join(root, "testing");
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](dist|node_modules)[\\/]/.test(file.slice(folder.length)))
    .sort();
  const hash = createHash("sha256");
  for (const file of [...files, join(root, "package-lock.json"), join(root, "jest.config.cjs")])
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

const asked = process.argv.slice(2);
const isComplete = asked.length === 0 || (asked.length === 1 && asked[0] === "--complete");
if (isComplete) {
  const current = fingerprint();
  const hasPassed = existsSync(STAMP) && readFileSync(STAMP, "utf8") === current;
  const leaveOut = asked.length === 0 && hasPassed ? ["--testPathIgnorePatterns", "<rootDir>/testing/"] : [];
  if (leaveOut.length > 0) console.log("test: testing/ has not changed since its tests passed; left out");
  jest("embedded engine", leaveOut, { PULUMI_ENGINE: "embedded" });
  const passed = report();
  if (passed && leaveOut.length === 0) {
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, current);
  }
  process.exit(passed ? 0 : 1);
}
jest("embedded engine", asked, { PULUMI_ENGINE: "embedded" });
process.exit(report() ? 0 : 1);
