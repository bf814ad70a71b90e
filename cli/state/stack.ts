import { Option } from "commander";
import { fileBytes } from "../file";
import { configurationOf, exportedStack } from "./cli";
import { UnreadableState } from "./deployment";

/** The stack that a command reads. */
export interface StackOptions {
  /** The stack's name; false to read no stack. */
  readonly stack?: string | false;
  readonly state?: string;
}

/** `--stack` and `--state`. */
export const stackOptions = (): readonly Option[] => [
  new Option(
    "-s, --stack <name>",
    "Read this stack with the Pulumi CLI (default: the selected stack)",
  ).conflicts("state"),
  new Option("--state <file>", "Read this exported state with plain-text secrets; - is stdin"),
];

/** `--stack`, `--state` and `--no-stack`. */
export const optionalStackOptions = (): readonly Option[] => [
  ...stackOptions(),
  new Option("--no-stack", "Use only the settings in the environment, and no stack").conflicts("state"),
];

/** The state that a command reads, and the configuration if the Pulumi CLI read it. */
interface StackRead {
  readonly state: Uint8Array;
  readonly configuration?: ReadonlyMap<string, string>;
}

/** Reads the selected state; the Pulumi CLI also reads the stack's configuration. */
export async function readState({ stack, state }: StackOptions): Promise<StackRead> {
  if (state !== undefined) return { state: await fileBytes(state) };
  const name = { cwd: process.cwd(), stack: stack === false ? undefined : stack };
  const [exported, configuration] = await Promise.all([exportedStack(name), configurationOf(name)]);
  return { state: exported, configuration };
}

/** Like `stateOf`, but returns nothing with `--no-stack`. */
export async function optionalStateOf(options: StackOptions): Promise<Partial<StackRead>> {
  const { stack, state } = options;
  if (stack === false) return {};
  try {
    return await readState(options);
  } catch (error) {
    const isAsked = stack !== undefined || state !== undefined;
    if (isAsked || !(error instanceof UnreadableState)) throw error;
    throw new UnreadableState(
      `${error.message}\nSelect a stack (pulumi stack select), or use only the environment: --no-stack`,
    );
  }
}
