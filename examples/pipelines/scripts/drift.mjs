// Checks for drift (read-only), and writes report/drift.md, report/drift.json and report/status.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { ofStack } from "./looked.mjs";
import { Failed, ran, step } from "./run.mjs";

/** The exit codes of a completed check: in sync, drift, unreadable resources. Any other code means that nothing was checked. */
const KNOWN = [0, 2, 3];

await step(() => {
  rmSync("report", { recursive: true, force: true });
  mkdirSync("report");
  const options = ["--json", "--markdown", "report/drift.md", ...ofStack()];
  const { status, stdout } = ran("npx", ["--no-install", "quarterdeck", "drift", ...options]);
  if (!KNOWN.includes(status)) throw new Failed(`quarterdeck drift failed with status ${status}`);
  writeFileSync("report/drift.json", stdout);
  writeFileSync("report/status", String(status));
});
