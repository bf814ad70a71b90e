import type { FlagSpecs, Flags } from "./flags";

/** The output of a command. */
export interface Console {
  out(text: string): void;
  error(text: string): void;
}

/** Environment variables; an unset variable is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One run of a command. */
export interface Invocation {
  readonly flags: Flags;
  readonly args: readonly string[];
  readonly environment: Environment;
  /** The base of relative paths, and the start of the search for a project. */
  readonly workingDirectory: string;
  readonly console: Console;
  readonly signal?: AbortSignal | undefined;
}

/** A command of the command line. */
export interface Command {
  /** Its words after `pulumi`. */
  readonly name: string;
  readonly flags: FlagSpecs;
  /** The minimum and maximum number of arguments. */
  readonly args: readonly [number, number];
  run(invocation: Invocation): void | Promise<void>;
}

/** Prints JSON in the CLI's format. */
export function printJson(console: Console, value: unknown): void {
  console.out(`${JSON.stringify(value, null, 2)}\n`);
}
