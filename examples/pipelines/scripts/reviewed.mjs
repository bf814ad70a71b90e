// Fails where the preview did: after the comment was written, so that the reviewer can read why.
import { readFileSync } from "node:fs";
import { Failed, step } from "./run.mjs";

await step(() => {
  if (JSON.parse(readFileSync("review/steps.json", "utf8")).hasFailed) throw new Failed("the preview failed");
});
