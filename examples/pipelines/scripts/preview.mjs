// Previews the change for the reviewer and for the apply step. It writes review/preview.md, review/steps.json and, with the plugin,
// review/plan.sealed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configuration, isByPlugin, looked } from "./looked.mjs";
import { markdownOf } from "./review.mjs";
import { step, variable } from "./run.mjs";
import { sealed } from "./sealed.mjs";

await step(() => {
  const stack = variable("PULUMI_STACK");
  const key = isByPlugin() ? variable("PIPELINE_PLAN_KEY") : undefined;
  // The unencrypted plan exists only in this folder, which is deleted below.
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  try {
    const plan = join(folder, "plan.json");
    const { hasFailed, steps, diagnostics } = looked(key === undefined ? {} : { plan });
    rmSync("review", { recursive: true, force: true });
    mkdirSync("review");
    writeFileSync("review/preview.md", markdownOf({ stack, steps, diagnostics }));
    // If the preview failed, the comment shows the reason.
    writeFileSync(
      "review/steps.json",
      JSON.stringify({ stack, hasFailed, configuration: configuration(), steps }, undefined, 1),
    );
    if (hasFailed) return;
    if (key !== undefined) writeFileSync("review/plan.sealed", sealed(readFileSync(plan, "utf8"), key));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
