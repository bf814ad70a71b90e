import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.workspaces.Team("network-operators", {
  name: "network-operators",
  visibility: "organization",
  organizationAccess: { manageModules: true, readWorkspaces: true },
});

new quarterdeck.workspaces.Team("auditors", {
  name: "auditors",
  organizationAccess: { readProjects: true, readWorkspaces: true },
});
