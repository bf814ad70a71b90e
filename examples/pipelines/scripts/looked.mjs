// Runs a preview with the CLI: for the review and, with dynamic providers, again before the apply.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { stepsOf } from "./review.mjs";
import { ran, variable } from "./run.mjs";

/** True if the stack uses the plugin. Only then does a saved plan contain everything that an update would do. */
export function isByPlugin() {
  const { status, stdout } = ran("pulumi", ["config", "get", "quarterdeck:bridge", ...ofStack()], {
    quiet: true,
  });
  return status === 0 && stdout.trim() === "plugin";
}

/** Returns the steps and the messages of a preview. If `plan` names a file, saves the plan there. */
export function looked({ plan } = {}) {
  const { status, stdout } = ran("pulumi", [
    "preview",
    "--json",
    "--non-interactive",
    ...(plan === undefined ? [] : ["--save-plan", plan]),
    ...ofStack(),
  ]);
  const preview = JSON.parse(stdout.trim() === "" ? "{}" : stdout);
  const diagnostics = preview.diagnostics ?? [];
  const isTold = diagnostics.some(({ severity }) => severity === "error");
  const why = { severity: "error", message: "pulumi preview failed; see its log" };
  return {
    hasFailed: status !== 0,
    steps: stepsOf(preview),
    diagnostics: status !== 0 && !isTold ? [...diagnostics, why] : diagnostics,
  };
}

/** The CLI options that select the pipeline's stack. */
export const ofStack = () => ["--stack", variable("PULUMI_STACK")];

/** A hash of the stack's configuration file. A preview masks secrets, so it does not show that a secret changed. */
export function configuration() {
  const file = `Pulumi.${variable("PULUMI_STACK").split("/").at(-1)}.yaml`;
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : "";
}
