import * as quarterdeck from "pulumi-quarterdeck";

const networks = new quarterdeck.workspaces.Project("networks", {
  name: "networks",
  description: "Networks and clusters",
  autoDestroyActivityDuration: "14d",
  defaultExecutionMode: "local",
  tagBindings: { team: "platform" },
});

new quarterdeck.workspaces.Workspace("network", { name: "network", projectId: networks.projectId });
