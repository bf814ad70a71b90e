import { Command } from "commander";
import { withProgress } from "../progress";
import { type DiscoverChoice, discoverOptions, listOptions } from "./options";
import { exitCodeOf } from "./report";
import { listText } from "./text";

interface ListOptions extends DiscoverChoice {
  readonly json?: true;
  readonly verbose?: true;
}

/** `quarterdeck list`. */
export function listCommand(): Command {
  const command = new Command("list")
    .description("List objects that exist on the servers and are not in the stack (read-only)")
    .option("--json", "print the list as JSON")
    .option("-v, --verbose", "also print the types that no server lists")
    .addHelpText(
      "after",
      `
It uses the settings of the selected stack and leaves out what its state contains.
With --no-stack it uses the environment alone and leaves out nothing.

Examples:
  quarterdeck list
  quarterdeck list --stack production --type scheduler:Job --json
  quarterdeck list --no-stack --service mesh

Exit codes: 0 listed, 1 error, 3 something could not be listed, 64 unknown option.`,
    )
    .action(runList);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

async function runList(options: ListOptions): Promise<void> {
  const asked = await listOptions(options);
  // The module loads the provider's requests, which other commands do not need.
  const { default: discover } = require("./discover") as typeof import("./discover");
  const report = await withProgress((progress) => discover({ ...asked, progress }), "types");
  console.log(options.json ? JSON.stringify(report, undefined, 2) : listText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
}
