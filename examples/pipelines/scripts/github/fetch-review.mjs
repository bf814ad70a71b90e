// Downloads the reviewed preview of the pull request that contained this commit.
import { rmSync } from "node:fs";
import { Failed, printed, step, variable } from "../run.mjs";

await step(() => {
  const commit = variable("GITHUB_SHA");
  const pulls = `repos/${variable("GITHUB_REPOSITORY")}/commits/${commit}/pulls`;
  const merged = JSON.parse(printed("gh", ["api", pulls])).find(({ merged_at }) => merged_at !== null);
  if (merged === undefined)
    throw new Failed(`${commit} belongs to no merged pull request, so it was not reviewed`);
  const which = [
    "--workflow",
    "preview.yml",
    "--commit",
    merged.head.sha,
    "--status",
    "success",
    "--limit",
    "1",
  ];
  const [run] = JSON.parse(printed("gh", ["run", "list", ...which, "--json", "databaseId"]));
  if (run === undefined) throw new Failed(`no preview of pull request ${merged.number} succeeded`);
  rmSync("review", { recursive: true, force: true });
  printed("gh", ["run", "download", String(run.databaseId), "--name", "review", "--dir", "review"]);
});
