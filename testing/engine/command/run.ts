import { resolve } from "node:path";
import { ExitCode, Refusal } from "../refusal";
import { COMMANDS } from "./commands";
import type { Console, Environment } from "./line/invocation";
import { parse } from "./line/parse";

/** The environment of a run. */
export interface RunContext {
  readonly environment: Environment;
  readonly workingDirectory: string;
  readonly console: Console;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command line and returns its exit code. It prints errors in the CLI's format. */
export async function run(words: readonly string[], context: RunContext): Promise<number> {
  try {
    const { command, flags, args } = parse(words, COMMANDS);
    const workingDirectory = resolve(context.workingDirectory, flags.text("cwd") ?? ".");
    await command.run({ ...context, flags, args, workingDirectory });
    return ExitCode.success;
  } catch (error) {
    // An empty message means that the error has been printed already.
    const message = error instanceof Error ? error.message : String(error);
    if (message !== "") context.console.error(`error: ${message}\n`);
    return error instanceof Refusal ? error.exitCode : ExitCode.failure;
  }
}
