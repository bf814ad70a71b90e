// A preview by the CLI, for the review and, on the dynamic bridge, once more before it is carried out.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { stepsOf } from "./review.mjs";
import { ran, variable } from "./run.mjs";

/** Whether the stack's resources are served by the plugin: only then a saved plan holds all that an update would do. */
export function isByPlugin() {
  const { status, stdout } = ran("pulumi", ["config", "get", "quarterdeck:bridge", ...ofStack()], {
    quiet: true,
  });
  return status === 0 && stdout.trim() === "plugin";
}

/** What a preview says; where `plan` names a file, the plan is written there. */
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
  const why = { severity: "error", message: "pulumi preview failed; its log says why" };
  return {
    hasFailed: status !== 0,
    steps: stepsOf(preview),
    diagnostics: status !== 0 && !isTold ? [...diagnostics, why] : diagnostics,
  };
}

/** The stack that a pipeline is for. */
export const ofStack = () => ["--stack", variable("PULUMI_STACK")];

/** A fingerprint of the stack's configuration file: a preview masks secrets, so that it cannot tell one from another. */
export function configuration() {
  const file = `Pulumi.${variable("PULUMI_STACK").split("/").at(-1)}.yaml`;
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : "";
}
