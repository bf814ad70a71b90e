import { existsSync } from "node:fs";
import { Command } from "commander";
import { exitCodeOf } from "../doctor/report";
import { diagnosisText } from "./doctorText";
import { ownPackage } from "./ownPackage";
import { type StackOptions, stackOptions, stateOf } from "./stack";

interface DoctorOptions extends StackOptions {
  readonly json?: true;
}

/** `quarterdeck doctor`. */
export function doctorCommand(): Command {
  const command = new Command("doctor")
    .description(
      "looks at all that stands between a program and its services, and says what to do; writes nothing",
    )
    .option("--json", "prints it as JSON")
    .addHelpText(
      "after",
      "\nStatus: 0 all is well, 2 there is something to do, 1 an error, 64 a wrong option.",
    )
    .action(runDoctor);
  for (const option of stackOptions(
    "without it and --state, the stack that is selected in a project's folder, else the environment alone",
  ))
    command.addOption(option);
  return command;
}

async function runDoctor(options: DoctorOptions): Promise<void> {
  const { stack, state } = options;
  const isProject = existsSync("Pulumi.yaml") || existsSync("Pulumi.yml");
  const looked = stack !== undefined || state !== undefined || isProject ? await stateOf(options) : {};
  // It loads the provider, which other commands do not need.
  const { default: diagnosis } = require("../doctor/diagnosis") as typeof import("../doctor/diagnosis");
  const node = String(ownPackage().engines.node);
  const found = await diagnosis({ ...looked, env: process.env, folder: process.cwd(), node });
  console.log(options.json ? JSON.stringify(found, undefined, 2) : diagnosisText(found).join("\n"));
  process.exitCode = exitCodeOf(found);
}
