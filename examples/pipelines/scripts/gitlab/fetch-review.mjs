// Downloads the reviewed preview of the merge request that contained this commit.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { isByPlugin } from "../looked.mjs";
import { Failed, step, variable } from "../run.mjs";
import { asked, listed } from "./api.mjs";

await step(() => {
  const commit = variable("CI_COMMIT_SHA");
  const merged = listed(`repository/commits/${commit}/merge_requests`).find(
    ({ state }) => state === "merged",
  );
  if (merged === undefined)
    throw new Failed(`${commit} belongs to no merged merge request, so it was not reviewed`);
  // The API returns the latest pipeline first.
  const pipeline = listed(`merge_requests/${merged.iid}/pipelines`).find(
    ({ status }) => status === "success",
  );
  if (pipeline === undefined) throw new Failed(`no preview of merge request ${merged.iid} succeeded`);
  const job = listed(`pipelines/${pipeline.id}/jobs?scope[]=success`).find(({ name }) => name === "preview");
  if (job === undefined) throw new Failed(`the pipeline ${pipeline.id} has no preview`);
  rmSync("review", { recursive: true, force: true });
  mkdirSync("review");
  const files = ["steps.json", ...(isByPlugin() ? ["plan.sealed"] : [])];
  for (const file of files) writeFileSync(`review/${file}`, asked(`jobs/${job.id}/artifacts/review/${file}`));
});
