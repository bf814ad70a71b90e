// Writes the preview to one comment on the pull request. Every push updates the comment.
import { readFileSync, writeFileSync } from "node:fs";
import { printed, step, variable } from "../run.mjs";

await step(() => {
  const comments = `repos/${variable("GITHUB_REPOSITORY")}/issues/${variable("PULL_REQUEST")}/comments`;
  const mark = `<!-- pulumi preview of ${variable("PULUMI_STACK")} -->`;
  writeFileSync(
    "review/comment.json",
    JSON.stringify({ body: `${mark}\n${readFileSync("review/preview.md", "utf8")}` }),
  );
  const pages = JSON.parse(printed("gh", ["api", "--paginate", "--slurp", comments]));
  const own = pages.flat().find((comment) => comment.body.startsWith(mark));
  const where =
    own === undefined
      ? ["--method", "POST", comments]
      : ["--method", "PATCH", `repos/${variable("GITHUB_REPOSITORY")}/issues/comments/${own.id}`];
  printed("gh", ["api", ...where, "--input", "review/comment.json", "--silent"]);
});
