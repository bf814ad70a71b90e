import { Command } from "commander";
import { exitCodeOf } from "../discover/report";
import { type DiscoverChoice, discovered, discoverOptions } from "./discovering";
import { listText } from "./listText";
import { watched } from "./progress";

interface ListOptions extends DiscoverChoice {
  readonly json?: true;
  readonly verbose?: true;
}

/** `quarterdeck list`. */
export function listCommand(): Command {
  const command = new Command("list")
    .description("lists what exists on the services and is in no state; writes nothing")
    .option("--json", "prints the list as JSON")
    .option("-v, --verbose", "tells of which types no service has a list, too")
    .addHelpText(
      "after",
      "\nWithout --stack or --state nothing is left out, and the environment says where the services are.\nStatus: 0 listed, 3 something could not be listed, 1 an error.",
    )
    .action(runList);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

async function runList(options: ListOptions): Promise<void> {
  const asked = await discovered(options);
  // It loads the provider's requests, which other commands do not need.
  const { default: discover } = require("../discover/discover") as typeof import("../discover/discover");
  const report = await watched((progress) => discover({ ...asked, progress }), "types");
  console.log(options.json ? JSON.stringify(report, undefined, 2) : listText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
}
