import * as quarterdeck from "pulumi-quarterdeck";

const storage = new quarterdeck.workspaces.Workspace("storage", { name: "storage-live" });
const operators = new quarterdeck.workspaces.Team("storage-operators", { name: "storage-operators" });

new quarterdeck.workspaces.TeamAccess("operators-on-storage", {
  workspaceId: storage.workspaceId,
  teamId: operators.teamId,
  access: "custom",
  runs: "apply",
  variables: "read",
  workspaceLocking: true,
});
