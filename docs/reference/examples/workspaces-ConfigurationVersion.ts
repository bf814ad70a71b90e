import * as quarterdeck from "pulumi-quarterdeck";

const routing = new quarterdeck.workspaces.Workspace("routing", { name: "routing" });

const files = new quarterdeck.workspaces.ConfigurationVersion("files", {
  workspaceId: routing.workspaceId,
  directory: "routing",
});

new quarterdeck.workspaces.Run("first", {
  workspaceId: routing.workspaceId,
  configurationVersionId: files.configurationVersionId,
});
