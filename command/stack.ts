import { Option } from "commander";
import { configurationOf, exportedStack } from "../stacks/cli";
import { fileBytes } from "./file";

/** Which stack a command looks at. */
export interface StackOptions {
  readonly stack?: string;
  readonly state?: string;
}

/** `--stack` and `--state`. */
export const stackOptions = (without = "without it the one that is selected here"): readonly Option[] => [
  new Option("-s, --stack <name>", `the stack, by the Pulumi CLI; ${without}`).conflicts("state"),
  new Option("--state <file>", "an exported state with its secrets shown instead; - is the standard input"),
];

/** The state that a person asks for, and where the Pulumi CLI was asked its configuration, too. */
export async function stateOf({ stack, state }: StackOptions): Promise<{
  readonly state: Uint8Array;
  readonly configuration?: ReadonlyMap<string, string>;
}> {
  if (state !== undefined) return { state: await fileBytes(state) };
  const name = { cwd: process.cwd(), stack };
  const [exported, configuration] = await Promise.all([exportedStack(name), configurationOf(name)]);
  return { state: exported, configuration };
}
