import { predicted } from "../../provider/core/diff/response";
import workspace from "../../provider/services/workspaces/workspace";

test("of an object, what the program does not write is expected as the service answers it", () => {
  const vcsRepo = { identifier: "acme/app", oauthTokenId: "ot-code" };
  const answer = { vcsRepo: { ...vcsRepo, branch: "main" }, description: "theirs" };
  expect(predicted(workspace, { name: "app", vcsRepo }, {}, answer)).toMatchObject(answer);
  const other = { vcsRepo: { ...vcsRepo, identifier: "acme/other", branch: "main" } };
  expect(predicted(workspace, { name: "app", vcsRepo }, {}, other)).toMatchObject({
    vcsRepo: { ...vcsRepo, branch: "main" },
  });
});
