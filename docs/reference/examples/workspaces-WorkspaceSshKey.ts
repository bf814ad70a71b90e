import * as quarterdeck from "pulumi-quarterdeck";

const app = new quarterdeck.workspaces.Workspace("app", { name: "app" });

new quarterdeck.workspaces.WorkspaceSshKey("modules", {
  workspaceId: app.workspaceId,
  sshKeyId: "sshkey-modules",
});
