import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { type RunContext, run } from "../../../engine/command/run";
import { FIXTURES, PASSPHRASE, temporaryFolder } from "../recorded";

/** The output of a command and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folders for a project and its state, and the environment variables that point to them. */
export interface Sandbox {
  readonly folder: string;
  readonly project: string;
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A place with the project of the fixtures and a backend without stacks. */
export function newSandbox(): Sandbox {
  const folder = temporaryFolder();
  const [project, state] = [join(folder, "project"), join(folder, "state")];
  mkdirSync(state);
  cpSync(join(FIXTURES, "project"), project, { recursive: true });
  symlinkSync(resolve(__dirname, "../../../../node_modules"), join(project, "node_modules"));
  const environment = {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  return { folder, project, state, environment };
}

/** A place with the stack of the CLI recording. */
export function recordedSandbox(): Sandbox {
  const sandbox = newSandbox();
  cpSync(join(FIXTURES, "state", "backend"), join(sandbox.state, ".pulumi"), { recursive: true });
  cpSync(join(FIXTURES, "state", "Pulumi.dev.yaml"), join(sandbox.project, "Pulumi.dev.yaml"));
  return sandbox;
}

/** Runs a command in this process; words are separated by spaces. */
export async function runCommand(
  sandbox: Sandbox,
  words: string | readonly string[],
  { environment = {}, ...context }: Partial<RunContext> = {},
): Promise<CommandResult> {
  const output = { stdout: "", stderr: "" };
  const code = await run(typeof words === "string" ? words.split(" ") : words, {
    workingDirectory: sandbox.project,
    console: {
      out: (text) => {
        output.stdout += text;
      },
      error: (text) => {
        output.stderr += text;
      },
    },
    ...context,
    environment: { ...process.env, ...sandbox.environment, ...environment },
  });
  return { code, ...output };
}
