// Runs the whole test suite; with a Pulumi CLI at hand, the Automation API suite runs on it once more.
import { spawnSync } from "node:child_process";

const jest = (args, env = {}) =>
  spawnSync("jest", args, { stdio: "inherit", env: { ...process.env, ...env } }).status ?? 1;

process.exit(jest(process.argv.slice(2)));
