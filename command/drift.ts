import { Command } from "commander";
import type { DriftReport } from "../drift/report";
import { driftText } from "./driftText";
import { type StackOptions, stackOptions, stateOf } from "./stack";

interface DriftOptions extends StackOptions {
  readonly json?: true;
  readonly verbose?: true;
}

/** `quarterdeck drift`. */
export function driftCommand(): Command {
  const command = new Command("drift")
    .description("compares a stack's state with the services; writes nothing, and runs no program")
    .option("--json", "prints the report as JSON")
    .option("-v, --verbose", "tells what is in sync, too, and where the settings of each resource come from")
    .addHelpText("after", "\nStatus: 0 in sync, 2 drift, 3 something could not be read, 1 an error.")
    .action(runDrift);
  for (const option of stackOptions()) command.addOption(option);
  return command;
}

async function runDrift(options: DriftOptions): Promise<void> {
  const stack = await stateOf(options);
  // It loads the provider, which other commands do not need.
  const { look } = require("../drift/look") as typeof import("../drift/look");
  const isWatched = process.stderr.isTTY;
  const report = await look({
    ...stack,
    warn: (text) => console.error(`quarterdeck: ${text}`),
    ...(isWatched && { progress: (done, all) => process.stderr.write(`\r${done} of ${all}`) }),
  });
  if (isWatched) process.stderr.write("\r\u001b[K");
  console.log(options.json ? JSON.stringify(report, undefined, 2) : driftText(report, options).join("\n"));
  process.exitCode = statusOf(report);
}

/** What scripts go by. */
function statusOf({ counts: { drifted, missing, unreadable } }: DriftReport): number {
  if (unreadable > 0) return 3;
  return drifted + missing > 0 ? 2 : 0;
}
