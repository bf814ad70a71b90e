import { fstatSync } from "node:fs";
import { crashInSafeWords } from "./crash";
import { tooOldNode } from "./node";

const CRASHING = {
  name: "the provider plugin",
  known:
    "what ran at that moment is not in the state, and its last request may have been carried out. All else is as the engine tells.",
  next: 'run the same command again. What was written is seen, and not written twice; of a create that was carried out, and of an action, it says more: docs/delivery.md, "After a kill, or a cancel".',
} as const;

/** How often it is asked whether who started this process is still there. */
const LOOK_AGAIN_MS = 1000;

/**
 * Runs this package as a provider plugin, as an engine starts it: says the port in the first line, and ends with the engine.
 * Signals end it at once but for the last deeds, because the engine has waited for what runs before it sends them; and it
 * stays behind nowhere that its engine is gone. On a Node that is too old nothing is loaded that would fail with words of its own.
 */
export async function main(): Promise<void> {
  const refusal = tooOldNode();
  if (refusal !== undefined) {
    console.error(refusal.message);
    process.exitCode = 1;
    return;
  }
  crashInSafeWords(CRASHING);
  const { serve } = require("./core/bridge/plugin/serve") as typeof import("./core/bridge/plugin/serve");
  const { lastDeeds } = require("./core/requests/context") as typeof import("./core/requests/context");
  const { plugin } = require("./plugin") as typeof import("./plugin");
  const { systemRuntime } = require("./core/http/timeBudget") as typeof import("./core/http/timeBudget");
  const { port } = await serve(plugin);
  const end = () => void lastDeeds(systemRuntime).finally(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  // Where it is no pipe there may be no end to come, or it came at once.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", end).on("error", end).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), LOOK_AGAIN_MS).unref();
  process.stdout.write(`${port}\n`);
}
