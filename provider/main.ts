import { tooOldNode } from "./node";

/**
 * Runs this package as a provider plugin until its engine is gone. On a Node that is too old nothing is loaded that would
 * fail with words of its own.
 */
export async function main(): Promise<void> {
  const refusal = tooOldNode();
  if (refusal !== undefined) {
    console.error(refusal.message);
    process.exitCode = 1;
    return;
  }
  const { runPlugin } = require("./core/bridge/plugin/serve") as typeof import("./core/bridge/plugin/serve");
  const { plugin } = require("./plugin") as typeof import("./plugin");
  await runPlugin(plugin);
}
