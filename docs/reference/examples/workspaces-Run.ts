import * as quarterdeck from "pulumi-quarterdeck";

const billing = new quarterdeck.workspaces.Workspace("billing", { name: "billing" });

new quarterdeck.workspaces.Run("first", {
  workspaceId: billing.workspaceId,
  message: "First run of the workspace",
  triggers: ["1.0.0"],
});
