import * as quarterdeck from "pulumi-quarterdeck";

const app = new quarterdeck.workspaces.Workspace("app", { name: "app" });

new quarterdeck.workspaces.WorkspaceLock("while-we-migrate", {
  workspaceId: app.workspaceId,
  reason: "the database moves on Saturday",
});
