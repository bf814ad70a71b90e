import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { embeddedCommand } from "./embedded";
import type { Environment } from "./line/invocation";

/** The engine that deploys a program. */
export interface PickedEngine {
  readonly kind: "cli" | "embedded";
  /** For the Automation API's `pulumiCommand` option; undefined if the API finds the CLI itself. */
  readonly command?: PulumiCommand;
  /** For `PulumiCommand.get({ root })`, if the CLI is not on the PATH. */
  readonly root?: string;
  /** One line that names the engine and the reason for the choice. */
  readonly describe: string;
}

export interface PickOptions {
  /**
   * The engine if `PULUMI_ENGINE` is not set. `found` is the Pulumi CLI if it is on the PATH or under `~/.pulumi`, otherwise
   * the embedded engine. Default: `found`.
   */
  readonly otherwise?: "found" | "embedded";
  /** Receives the line that names the engine. Default: standard error. */
  readonly print?: (line: string) => void;
}

/**
 * Selects the engine, and prints the choice: from `PULUMI_ENGINE` (`cli` or `embedded`), otherwise from `otherwise`.
 *
 * @throws if `PULUMI_ENGINE` asks for a CLI that is not installed, or has a different value.
 */
export function pickEngine(
  environment: Environment,
  { otherwise = "found", print = (line) => process.stderr.write(`${line}\n`) }: PickOptions = {},
): PickedEngine {
  const picked = pick(environment, otherwise);
  print(picked.describe);
  return picked;
}

function pick(environment: Environment, otherwise: "found" | "embedded"): PickedEngine {
  const wanted = environment.PULUMI_ENGINE;
  if (wanted !== undefined && wanted !== "" && wanted !== "cli" && wanted !== "embedded") {
    throw new Error(`PULUMI_ENGINE is "${wanted}"; it is "cli" or "embedded"`);
  }
  const because = wanted ? ` (PULUMI_ENGINE=${wanted})` : "";
  const chosen = wanted || otherwise;
  const cli = chosen === "embedded" ? undefined : findCli(environment);
  if (cli !== undefined) {
    return { kind: "cli", describe: `engine: the Pulumi CLI at ${cli.path}${because}`, ...cli.where };
  }
  if (wanted === "cli") {
    throw new Error("PULUMI_ENGINE is cli, and there is no Pulumi CLI on the PATH or under ~/.pulumi");
  }
  const missing = chosen === "found" ? " (no Pulumi CLI on the PATH or under ~/.pulumi)" : "";
  const reason = because || missing;
  return {
    kind: "embedded",
    command: embeddedCommand(),
    describe: `engine: embedded, a test double${reason}`,
  };
}

function findCli(environment: Environment) {
  const name = process.platform === "win32" ? "pulumi.exe" : "pulumi";
  const folder = (environment.PATH ?? "")
    .split(delimiter)
    .find((path) => path && existsSync(join(path, name)));
  if (folder !== undefined) return { path: join(folder, name), where: {} };
  const root = join(environment.HOME ?? homedir(), ".pulumi");
  const path = join(root, "bin", name);
  return existsSync(path) ? { path, where: { root } } : undefined;
}
