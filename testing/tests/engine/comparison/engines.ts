import { execFileSync } from "node:child_process";
import * as auto from "@pulumi/pulumi/automation";
import { embeddedCommand } from "../../../engine";

/** The engines that a comparison can run on. */
export type EngineName = "embedded" | "cli";

/** The engine that `PULUMI_ENGINE` selects; the default is the embedded engine. */
export function chosenEngine(): EngineName {
  return process.env.PULUMI_ENGINE === "cli" ? "cli" : "embedded";
}

export function cliOnPath(): boolean {
  try {
    execFileSync("pulumi", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function pulumiCommandOf(engine: EngineName): Promise<auto.PulumiCommand> {
  return engine === "cli" ? auto.PulumiCommand.get() : embeddedCommand();
}
