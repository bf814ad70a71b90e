import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UnreadableState } from "./deployment";

const run = promisify(execFile);

/** The maximum size of an export in bytes. */
const LARGEST = 2 ** 30;

/** A stack for the Pulumi CLI: the folder of its project, and its name. Default: the selected stack. */
export interface StackName {
  readonly cwd: string;
  readonly stack?: string | undefined;
}

/** Exports the state of a stack as UTF-8, with its secrets in plain text; nothing is written to disk. */
export function exportedStack({ cwd, stack }: StackName): Promise<Buffer> {
  return pulumi(cwd, ["stack", "export", "--show-secrets", ...stackArguments(stack)]);
}

/** Reads the stack's configuration by full keys, with its secrets in plain text. */
export async function configurationOf({ cwd, stack }: StackName): Promise<ReadonlyMap<string, string>> {
  const printed = await pulumi(cwd, ["config", "--json", "--show-secrets", ...stackArguments(stack)]);
  const values: Record<string, { readonly value?: unknown; readonly objectValue?: unknown }> = JSON.parse(
    printed.toString(),
  );
  return new Map(
    Object.entries(values).map(([key, { value, objectValue }]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(objectValue ?? value),
    ]),
  );
}

function stackArguments(stack: string | undefined): string[] {
  return stack === undefined ? [] : ["--stack", stack];
}

async function pulumi(cwd: string, args: readonly string[]): Promise<Buffer> {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  try {
    const { stdout } = await run("pulumi", [...args, "--non-interactive"], {
      cwd,
      env,
      maxBuffer: LARGEST,
      encoding: "buffer",
    });
    return stdout;
  } catch (error) {
    const { stderr = "", code } = Object(error);
    if (code === "ENOENT") {
      throw new UnreadableState(
        "the Pulumi CLI is not on the PATH.\nInstall the Pulumi CLI, or use an exported state: --state FILE",
      );
    }
    // Its standard output is the state, which must not be printed.
    throw new UnreadableState(`pulumi ${args.join(" ")} failed: ${String(stderr).trim()}`);
  }
}
