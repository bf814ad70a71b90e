import * as quarterdeck from "pulumi-quarterdeck";

const app = new quarterdeck.workspaces.Workspace("app", { name: "app" });

new quarterdeck.workspaces.WorkspaceForceUnlock("after-the-crash", {
  workspaceId: app.workspaceId,
  triggers: ["run 17 crashed"],
});
