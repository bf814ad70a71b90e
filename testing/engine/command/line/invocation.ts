import type { FlagSpecs, Flags } from "./flags";

/** Where a command's words go. */
export interface Console {
  out(text: string): void;
  error(text: string): void;
}

/** Environment variables; one that is not there is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One run of a command. */
export interface Invocation {
  readonly flags: Flags;
  readonly args: readonly string[];
  readonly environment: Environment;
  /** Where relative paths start and the project is looked for. */
  readonly workingDirectory: string;
  readonly console: Console;
  readonly signal?: AbortSignal | undefined;
}

/** A command of the command line. */
export interface Command {
  /** Its words after `pulumi`. */
  readonly name: string;
  readonly flags: FlagSpecs;
  /** The fewest and the most arguments. */
  readonly args: readonly [number, number];
  run(invocation: Invocation): void | Promise<void>;
}

/** Prints JSON as every command of the CLI does. */
export function printJson(console: Console, value: unknown): void {
  console.out(`${JSON.stringify(value, null, 2)}\n`);
}
