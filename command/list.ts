import { Command, InvalidArgumentError } from "commander";
import { exitCodeOf } from "../discover/report";
import { catalog } from "../provider/catalog";
import { serviceOf } from "../stacks/deployment";
import { listText } from "./listText";
import { watched } from "./progress";
import { type StackOptions, stackOptions, stateOf } from "./stack";

interface ListOptions extends StackOptions {
  readonly type?: readonly string[];
  readonly service?: readonly string[];
  readonly search?: string;
  readonly json?: true;
  readonly verbose?: true;
}

/** `quarterdeck list`. */
export function listCommand(): Command {
  const types = Object.keys(catalog);
  const services = [...new Set(types.map(serviceOf))];
  const command = new Command("list")
    .description("lists what exists on the services and is in no state; writes nothing")
    .option("-t, --type <type>", "only of this type, scheduler:Job; may be repeated", oneOf(types))
    .option(
      "--service <service>",
      `only of this service: ${services.join(", ")}; may be repeated`,
      oneOf(services),
    )
    .option("--search <text>", "only what has this in its id or name")
    .option("--json", "prints the list as JSON")
    .option("-v, --verbose", "tells of which types no service has a list, too")
    .addHelpText(
      "after",
      "\nWithout --stack or --state nothing is left out, and the environment says where the services are.\nStatus: 0 listed, 3 something could not be listed, 1 an error.",
    )
    .action(runList);
  for (const option of stackOptions("without it and --state, no state is looked at"))
    command.addOption(option);
  return command;
}

const oneOf =
  (allowed: readonly string[]) =>
  (value: string, before: readonly string[] = []): readonly string[] => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Known are ${allowed.join(", ")}.`);
    return [...before, value];
  };

async function runList(options: ListOptions): Promise<void> {
  const { type: types, service: services, search, stack, state } = options;
  const isStateAsked = stack !== undefined || state !== undefined;
  const looked = isStateAsked ? await stateOf(options) : {};
  // It loads the provider's requests, which other commands do not need.
  const { default: discover } = require("../discover/discover") as typeof import("../discover/discover");
  const report = await watched(
    (progress) =>
      discover({
        ...looked,
        env: process.env,
        types,
        services,
        search,
        warn: (text) => console.error(`quarterdeck: ${text}`),
        progress,
      }),
    "types",
  );
  console.log(options.json ? JSON.stringify(report, undefined, 2) : listText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
}
