import * as quarterdeck from "pulumi-quarterdeck";

const platform = new quarterdeck.workspaces.Workspace("platform", { name: "platform-base" });
const services = new quarterdeck.workspaces.Workspace("services", {
  name: "services",
  autoApplyRunTrigger: true,
});

// After each successful apply in platform-base, HCP Terraform queues a run in services.
new quarterdeck.workspaces.RunTrigger("after-platform", {
  workspaceId: services.workspaceId,
  sourceableId: platform.workspaceId,
});
