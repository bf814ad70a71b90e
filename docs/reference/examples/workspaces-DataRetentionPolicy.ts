import * as quarterdeck from "pulumi-quarterdeck";

const app = new quarterdeck.workspaces.Workspace("app", { name: "app" });

new quarterdeck.workspaces.DataRetentionPolicy("a-quarter", {
  workspaceId: app.workspaceId,
  deleteOlderThanDays: 90,
});
