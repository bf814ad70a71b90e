import { Command } from "commander";
import { helpSections } from "../help";
import { withProgress } from "../progress";
import { type DiscoverChoice, discoverOptions, listOptions } from "./options";
import { listExitCode } from "./report";
import { listText } from "./text";

interface ListOptions extends DiscoverChoice {
  readonly json?: true;
  readonly verbose?: true;
}

/** `quarterdeck list`. */
export function listCommand(): Command {
  const command = new Command("list")
    .summary("List unmanaged objects")
    .description("List the objects on the servers that are not in the state of the stack (read-only)")
    .option("--json", "Print the list as JSON")
    .option("-v, --verbose", "Also print the types that no server lists")
    .addHelpText("after", HELP)
    .action(runList);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

const HELP = helpSections({
  notes:
    "The command uses the settings of the selected stack, and omits the objects in its state. With --no-stack it uses only the environment, and omits nothing.",
  examples: [
    "quarterdeck list",
    "quarterdeck list --stack production --type scheduler:Job --json",
    "quarterdeck list --no-stack --service mesh",
  ],
  exitCodes: { 0: "Success", 1: "Error", 3: "At least one type could not be listed" },
});

async function runList(options: ListOptions): Promise<void> {
  const asked = await listOptions(options);
  // The module loads the provider's requests, which other commands do not need.
  const { default: discover } = require("./discover") as typeof import("./discover");
  const report = await withProgress((progress) => discover({ ...asked, progress }), "types");
  console.log(options.json ? JSON.stringify(report, undefined, 2) : listText(report, options).join("\n"));
  process.exitCode = listExitCode(report);
}
