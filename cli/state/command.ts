import { Command } from "commander";
import { helpSections } from "../help";
import { readState, type StackOptions, stackOptions } from "./stack";

interface StateOptions extends StackOptions {
  readonly json?: true;
}

/** `quarterdeck state`. */
export function stateCommand(): Command {
  const command = new Command("state")
    .summary("Print Quarterdeck's records in a state")
    .description("Print what a stack's state stores about its resources, with secrets masked (read-only)")
    .argument("[names...]", "Only resources with these names, IDs or URNs")
    .option("--json", "Print the records as JSON")
    .addHelpText("after", HELP)
    .action(showState);
  for (const option of stackOptions()) command.addOption(option);
  return command;
}

const HELP = helpSections({
  notes: "The command sends no requests to the servers.",
  examples: [
    "quarterdeck state",
    "quarterdeck state orders --stack production",
    "pulumi stack export --show-secrets | quarterdeck state --state - --json",
  ],
  exitCodes: { 0: "Success", 1: "Error" },
});

async function showState(names: readonly string[], options: StateOptions): Promise<void> {
  const { state } = await readState(options);
  // The module loads the provider, which other commands do not need.
  const { default: recordsInState } = require("./known") as typeof import("./known");
  const { stateText } = require("./text") as typeof import("./text");
  const known = recordsInState(state, names);
  console.log(options.json ? JSON.stringify(known, undefined, 2) : stateText(known).join("\n"));
}
