import { existsSync } from "node:fs";
import { Command } from "commander";
import { helpSections } from "../help";
import { ownPackage } from "../ownPackage";
import { UnreadableState } from "../state/deployment";
import { optionalStackOptions, readState, type StackOptions } from "../state/stack";
import type { DiagnosisOptions } from "./diagnosis";
import { doctorExitCode, type Finding, warn } from "./report";
import { diagnosisText } from "./text";

interface DoctorOptions extends StackOptions {
  readonly json?: true;
}

/** `quarterdeck doctor`. */
export function doctorCommand(): Command {
  const command = new Command("doctor")
    .summary("Diagnose setup problems")
    .description("Check connectivity, tokens, permissions and configuration, and print remedies (read-only)")
    .option("--json", "Print the results as JSON")
    .addHelpText("after", HELP)
    .action(runDoctor);
  for (const option of optionalStackOptions()) command.addOption(option);
  return command;
}

const HELP = helpSections({
  notes: "Outside a project, or if no stack is selected, the command checks only the environment.",
  examples: [
    "quarterdeck doctor",
    "quarterdeck doctor --stack production --json",
    "quarterdeck doctor --no-stack",
  ],
  exitCodes: { 0: "No check failed", 1: "Error", 2: "At least one FAIL" },
});

async function runDoctor(options: DoctorOptions): Promise<void> {
  const { notice, ...stack } = await readStackIfSelected(options);
  // The module loads the provider, which other commands do not need.
  const { default: diagnosis } = require("./diagnosis") as typeof import("./diagnosis");
  const node = String(ownPackage().engines.node);
  const found = await diagnosis({ ...stack, env: process.env, folder: process.cwd(), node });
  const all = { ...found, findings: [...(notice === undefined ? [] : [notice]), ...found.findings] };
  console.log(options.json ? JSON.stringify(all, undefined, 2) : diagnosisText(all).join("\n"));
  process.exitCode = doctorExitCode(all);
}

type StackContents = Pick<DiagnosisOptions, "state" | "configuration">;

/** Reads the stack, or returns the reason if the selected stack cannot be read. */
async function readStackIfSelected(
  options: DoctorOptions,
): Promise<StackContents & { readonly notice?: Finding }> {
  const { stack, state } = options;
  if (stack === false) return {};
  const isAsked = stack !== undefined || state !== undefined;
  if (!isAsked && !existsSync("Pulumi.yaml") && !existsSync("Pulumi.yml")) return {};
  try {
    return await readState(options);
  } catch (error) {
    if (isAsked || !(error instanceof UnreadableState)) throw error;
    const found = warn(
      `no stack was read, so only the environment was checked: ${error.message}`,
      "Select a stack: pulumi stack select",
    );
    return { notice: { about: "state", what: "stack", ...found } };
  }
}
