// Fails if the preview failed. It runs after the comment is written, so that the reviewer can read the reason.
import { readFileSync } from "node:fs";
import { Failed, step } from "./run.mjs";

await step(() => {
  if (JSON.parse(readFileSync("review/steps.json", "utf8")).hasFailed) throw new Failed("the preview failed");
});
