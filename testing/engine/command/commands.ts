import { ENGINE_VERSION } from "../version";
import { configChangeCommands } from "./config/change";
import { configCommands } from "./config/show";
import { type Command, printJson } from "./line/invocation";
import { operationCommands } from "./operation/operations";
import { historyCommand } from "./stack/history";
import { stackCommands } from "./stack/stacks";
import { stateCommands } from "./stack/state";
import { tagCommands } from "./stack/tags";
import { transferCommands } from "./stack/transfer";

/** All commands of this engine. */
export const COMMANDS: readonly Command[] = [
  { name: "version", flags: {}, args: [0, 0], run: ({ console }) => console.out(`${ENGINE_VERSION}\n`) },
  ...operationCommands,
  ...stackCommands,
  ...stateCommands,
  ...transferCommands,
  historyCommand,
  ...tagCommands,
  ...configCommands,
  ...configChangeCommands,
  {
    name: "plugin ls",
    flags: { json: ["boolean", "j"] },
    args: [0, 0],
    // The only provider is a package that the program itself installs.
    run: ({ flags, console }) =>
      flags.isSet("json") ? printJson(console, []) : console.out("NAME  KIND  VERSION\n"),
  },
];
