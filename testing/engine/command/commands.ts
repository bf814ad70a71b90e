import { ENGINE_VERSION } from "../version";
import { configCommands } from "./config";
import { configChangeCommands } from "./config-changes";
import { historyCommand } from "./history";
import { type Command, printJson } from "./invocation";
import { operationCommands } from "./operations";
import { stateCommands } from "./stack-state";
import { stackCommands } from "./stacks";
import { tagCommands } from "./tags";
import { transferCommands } from "./transfer";

/** Every command that this engine has. */
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
    // Its only provider is a package that the program brings with it.
    run: ({ flags, console }) =>
      flags.isSet("json") ? printJson(console, []) : console.out("NAME  KIND  VERSION\n"),
  },
];
