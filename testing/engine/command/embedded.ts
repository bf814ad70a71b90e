import type { PulumiCommand } from "@pulumi/pulumi/automation";
import * as cmd from "@pulumi/pulumi/automation/cmd";
import * as errors from "@pulumi/pulumi/automation/errors";
import { ENGINE_VERSION } from "../version";
import { run } from "./run";

/** The Automation API's result of a command. */
interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** These exports exist at run time, but the declarations of the Automation API omit them as internal. */
const { CommandResult, parseAndValidatePulumiVersion } = cmd as unknown as {
  CommandResult: new (stdout: string, stderr: string, code: number, error?: Error) => CommandOutcome;
  parseAndValidatePulumiVersion(minimum: null, version: string, optOut: true): PulumiCommand["version"];
};
const { createCommandError } = errors as unknown as { createCommandError(outcome: CommandOutcome): Error };

/** The Automation API reports this code for every failed command, regardless of its exit code. */
const FAILED = -2;

/**
 * The embedded engine as a `pulumiCommand` for the Automation API. It runs in this process; a stack's program and its
 * provider run as they do with the CLI.
 */
export function embeddedCommand(): PulumiCommand {
  const command = {
    command: "pulumi (embedded engine)",
    version: parseAndValidatePulumiVersion(null, ENGINE_VERSION, true),
    async run(
      args: string[],
      cwd: string,
      additionalEnvironment: Record<string, string> = {},
      onOutput?: (text: string) => void,
      onError?: (text: string) => void,
      signal?: AbortSignal,
    ): Promise<CommandOutcome> {
      const text = { out: "", error: "" };
      const code = await run(args, {
        environment: { ...process.env, ...additionalEnvironment, PULUMI_AUTOMATION_API: "true" },
        workingDirectory: cwd,
        console: {
          out: (chunk) => {
            text.out += chunk;
            onOutput?.(chunk);
          },
          error: (chunk) => {
            text.error += chunk;
            onError?.(chunk);
          },
        },
        signal,
      });
      const [stdout, stderr] = [withoutLastNewline(text.out), withoutLastNewline(text.error)];
      if (code === 0) return new CommandResult(stdout, stderr, code);
      const summary = `Command failed with exit code ${code}: pulumi ${args.join(" ")}`;
      const message = [summary, stderr, stdout].filter((part) => part !== "").join("\n");
      throw createCommandError(
        new CommandResult("", message, FAILED, Object.assign(new Error(message), { exitCode: code })),
      );
    },
  };
  // `PulumiCommand` is a class with a private constructor; the Automation API uses only these members.
  return command as unknown as PulumiCommand;
}

const withoutLastNewline = (text: string): string => text.replace(/\r?\n$/, "");
