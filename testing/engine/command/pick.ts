import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { embeddedCommand } from "./embedded";
import type { Environment } from "./invocation";

/** The engine that deploys a program. */
export interface PickedEngine {
  readonly kind: "cli" | "embedded";
  /** For the Automation API's `pulumiCommand` option; undefined where it finds the CLI by itself. */
  readonly command?: PulumiCommand;
  /** For `PulumiCommand.get({ root })`, where the CLI is not on the PATH. */
  readonly root?: string;
  /** One line that says which engine it is and why. */
  readonly describe: string;
}

/**
 * Picks the engine: what `PULUMI_ENGINE` says (`cli` or `embedded`), else the Pulumi CLI where there is one on
 * the PATH or under `~/.pulumi`, else the embedded one.
 *
 * @throws where `PULUMI_ENGINE` asks for a CLI that is not there, or for something else altogether.
 */
export function pickEngine(environment: Environment): PickedEngine {
  const wanted = environment.PULUMI_ENGINE;
  if (wanted !== undefined && wanted !== "" && wanted !== "cli" && wanted !== "embedded") {
    throw new Error(`PULUMI_ENGINE is "${wanted}"; it is "cli" or "embedded"`);
  }
  const because = wanted ? ` (PULUMI_ENGINE=${wanted})` : "";
  const cli = wanted === "embedded" ? undefined : findCli(environment);
  if (cli !== undefined) {
    return { kind: "cli", describe: `engine: the Pulumi CLI at ${cli.path}${because}`, ...cli.where };
  }
  if (wanted === "cli") {
    throw new Error("PULUMI_ENGINE is cli, and there is no Pulumi CLI on the PATH or under ~/.pulumi");
  }
  const reason = because || " (no Pulumi CLI on the PATH or under ~/.pulumi)";
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
