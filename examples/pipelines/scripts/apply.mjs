// Applies exactly the reviewed change. With the plugin, it uses the saved plan. With dynamic providers, whose plans contain outputs
// that are not known yet, it runs a second preview, which must equal the reviewed one.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configuration, isByPlugin, looked, ofStack } from "./looked.mjs";
import { differencesOf } from "./review.mjs";
import { Failed, printed, step, variable } from "./run.mjs";
import { opened } from "./sealed.mjs";

await step(() => {
  if (!existsSync("review/steps.json"))
    throw new Failed("no reviewed preview was found; nothing was applied");
  const reviewed = JSON.parse(readFileSync("review/steps.json", "utf8"));
  if (reviewed.stack !== variable("PULUMI_STACK"))
    throw new Failed(`the review belongs to the stack ${reviewed.stack}; nothing was applied`);
  if (reviewed.hasFailed) throw new Failed("the reviewed preview failed; nothing was applied");
  if (reviewed.configuration !== configuration())
    throw new Failed("the stack's configuration changed after the review; nothing was applied");
  if (isByPlugin()) byPlan();
  else byPreview(reviewed);
});

function byPlan() {
  if (!existsSync("review/plan.sealed"))
    throw new Failed("the preview ran with dynamic providers; preview the change again with the plugin");
  const plan = opened(readFileSync("review/plan.sealed", "utf8"), variable("PIPELINE_PLAN_KEY"));
  const folder = mkdtempSync(join(tmpdir(), "plan-"));
  try {
    const file = join(folder, "plan.json");
    writeFileSync(file, plan, { mode: 0o600 });
    // The CLI first compares its own preview with the plan, so it detects unplanned steps before it writes anything.
    up(["--plan", file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function byPreview(reviewed) {
  const { hasFailed, steps } = looked();
  if (hasFailed) throw new Failed("the second preview failed; nothing was applied");
  const differences = differencesOf(reviewed.steps, steps);
  if (differences.length > 0)
    throw new Failed(
      ["the second preview differs from the reviewed preview; nothing was applied", ...differences].join(
        "\n  ",
      ),
    );
  up(["--skip-preview"]);
}

function up(more) {
  printed("pulumi", ["up", "--yes", "--non-interactive", ...more, ...ofStack()], {
    show: true,
  });
}
