// Keeps one issue open while the stack has drift.
import { readFileSync } from "node:fs";
import { step, variable } from "../run.mjs";
import { asked, listed } from "./api.mjs";

await step(() => {
  const title = `Drift of ${variable("PULUMI_STACK")}`;
  const isInSync = readFileSync("report/status", "utf8") === "0";
  const known = listed("issues?labels=drift&state=opened").find((issue) => issue.title === title)?.iid;
  const description = readFileSync("report/drift.md", "utf8");
  if (isInSync) {
    if (known !== undefined) asked(`issues/${known}`, { method: "PUT", body: { state_event: "close" } });
  } else if (known !== undefined) {
    asked(`issues/${known}`, { method: "PUT", body: { description } });
  } else {
    asked("issues", { method: "POST", body: { title, labels: "drift", description } });
  }
});
