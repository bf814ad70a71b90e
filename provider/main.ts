import { fstatSync } from "node:fs";
import { crashInSafeWords } from "./crash";
import { tooOldNode } from "./node";

const CRASHING = {
  name: "the provider plugin",
  known:
    "operations that were running are not in the state, and their last requests may have been applied. Everything else is as Pulumi reports.",
  next: 'run the same command again. It detects completed writes and does not repeat them. For creates and actions that were applied, see "After a killed or canceled command" in docs/delivery.md.',
} as const;

/** The interval between two checks that the parent process still exists. */
const LOOK_AGAIN_MS = 1000;

/**
 * Runs this package as a provider plugin, as Pulumi starts it. Prints the port on the first line, and ends with Pulumi.
 * Signals end it immediately after the shutdown hooks, because Pulumi waits for running operations before it sends signals.
 * It never outlives Pulumi. If Node is too old, it loads nothing that would fail with its own message.
 */
export async function main(): Promise<void> {
  const refusal = tooOldNode();
  if (refusal !== undefined) {
    console.error(refusal.message);
    process.exitCode = 1;
    return;
  }
  crashInSafeWords(CRASHING);
  const { serve } = require("./core/bridge/plugin/service") as typeof import("./core/bridge/plugin/service");
  const { lastDeeds } = require("./core/requests/beforeEnd") as typeof import("./core/requests/beforeEnd");
  const { plugin } = require("./plugin") as typeof import("./plugin");
  const { systemRuntime } = require("./core/http/options") as typeof import("./core/http/options");
  const { port } = await serve(plugin);
  const end = () => void lastDeeds(systemRuntime).finally(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  // If stdin is not a pipe, it may never end, or may have ended immediately.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), LOOK_AGAIN_MS).unref();
  process.stdout.write(`${port}\n`);
}
