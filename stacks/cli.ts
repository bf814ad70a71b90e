import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UnreadableState } from "./deployment";

const run = promisify(execFile);

/** The most that an export may have, in bytes: a state is one text. */
const LARGEST = 2 ** 30;

/** A stack by the Pulumi CLI: of the project in a folder, and where no name is given the one that is selected there. */
export interface StackName {
  readonly cwd: string;
  readonly stack?: string | undefined;
}

/** The state of a stack as text in UTF-8, its secrets in plain; nothing is written to a disk. */
export function exportedStack({ cwd, stack }: StackName): Promise<Buffer> {
  return pulumi(cwd, ["stack", "export", "--show-secrets", ...named(stack)]);
}

/** What the stack's configuration says, by full keys, its secrets in plain. */
export async function configurationOf({ cwd, stack }: StackName): Promise<ReadonlyMap<string, string>> {
  const told = await pulumi(cwd, ["config", "--json", "--show-secrets", ...named(stack)]);
  const values: Record<string, { readonly value?: unknown; readonly objectValue?: unknown }> = JSON.parse(
    told.toString(),
  );
  return new Map(
    Object.entries(values).map(([key, { value, objectValue }]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(objectValue ?? value),
    ]),
  );
}

function named(stack: string | undefined): string[] {
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
      throw new UnreadableState("the Pulumi CLI is not on the PATH; give the state as a file: --state FILE");
    }
    // What it prints on stdout is the state, and no part of it is shown.
    throw new UnreadableState(`pulumi ${args.join(" ")} failed: ${String(stderr).trim()}`);
  }
}
