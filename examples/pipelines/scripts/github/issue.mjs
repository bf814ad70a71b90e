// Keeps one issue open while the stack has drift.
import { readFileSync } from "node:fs";
import { printed, step, variable } from "../run.mjs";

await step(() => {
  const title = `Drift of ${variable("PULUMI_STACK")}`;
  const isInSync = readFileSync("report/status", "utf8") === "0";
  const open = JSON.parse(
    printed("gh", [
      "issue",
      "list",
      "--label",
      "drift",
      "--state",
      "open",
      "--limit",
      "1000",
      "--json",
      "number,title",
    ]),
  );
  const known = open.find((issue) => issue.title === title)?.number;
  if (isInSync) {
    if (known !== undefined)
      printed("gh", ["issue", "close", String(known), "--comment", "Everything is in sync again."]);
  } else if (known !== undefined) {
    printed("gh", ["issue", "edit", String(known), "--body-file", "report/drift.md"]);
  } else {
    printed("gh", ["label", "create", "drift", "--force", "--description", "Changes made outside Pulumi"]);
    printed("gh", [
      "issue",
      "create",
      "--title",
      title,
      "--label",
      "drift",
      "--body-file",
      "report/drift.md",
    ]);
  }
});
