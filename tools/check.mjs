// Checks types, lint and format, import rules, linear regular expressions, time assertions in tests, generated files, unused
// code and package exports. It runs all checks and reports every finding.
import { spawnSync } from "node:child_process";

const checks = [
  ["types", "tsc", ["--noEmit", "--project", "tests/tsconfig.json"]],
  ["lint and format", "biome", ["check", "."]],
  ["imports", "depcruise", ["packages", "provider", "cli", "sdk", "testing/{*.ts,engine,stub}", "tools"]],
  ["regular expressions linear", "node", ["tools/expressions.mjs"]],
  ["no assertion of time in tests", "node", ["tools/clocks.mjs"]],
  ["generated files", "node", ["tools/generate/main.mjs", "--check"]],
  ["unused code", "knip", []],
  ["package exports", "publint", ["--strict"]],
  ["package exports, testing", "publint", ["testing", "--strict"]],
  ["types for every way to import", "attw", ["--pack", ".", "--format", "ascii"]],
  ["types for every way to import, testing", "attw", ["--pack", "testing", "--format", "ascii"]],
];

const failed = [];
for (const [name, command, args] of checks) {
  console.log(`check: ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`check: failed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
