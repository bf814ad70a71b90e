// Writes the preview to one comment on the merge request. Every push updates the comment.
import { readFileSync } from "node:fs";
import { step, variable } from "../run.mjs";
import { asked, listed } from "./api.mjs";

await step(() => {
  const notes = `merge_requests/${variable("CI_MERGE_REQUEST_IID")}/notes`;
  const mark = `<!-- pulumi preview of ${variable("PULUMI_STACK")} -->`;
  const body = `${mark}\n${readFileSync("review/preview.md", "utf8")}`;
  const own = listed(notes).find((note) => note.body.startsWith(mark));
  if (own === undefined) asked(notes, { method: "POST", body: { body } });
  else asked(`${notes}/${own.id}`, { method: "PUT", body: { body } });
});
