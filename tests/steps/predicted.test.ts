import { predict } from "../../provider/core/diff/predict";
import workspace from "../../provider/services/workspaces/workspace";

test("the prediction takes members that the program omits from the response", () => {
  const vcsRepo = { identifier: "acme/app", oauthTokenId: "ot-code" };
  const answer = { vcsRepo: { ...vcsRepo, branch: "main" }, description: "theirs" };
  expect(predict(workspace, { name: "app", vcsRepo }, {}, answer)).toMatchObject(answer);
  const other = { vcsRepo: { ...vcsRepo, identifier: "acme/other", branch: "main" } };
  expect(predict(workspace, { name: "app", vcsRepo }, {}, other)).toMatchObject({
    vcsRepo: { ...vcsRepo, branch: "main" },
  });
});
