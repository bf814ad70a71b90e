import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", {
  name: "network-staging",
  description: "The network of staging",
  executionMode: "remote",
  autoApply: true,
  tagBindings: { environment: "staging" },
});

const apps = new quarterdeck.workspaces.Workspace("apps", {
  name: "apps-staging",
  description: "The applications in the network",
  executionMode: "remote",
  tagBindings: { environment: "staging" },
});

// Only these workspaces may read the state of the network workspace.
new quarterdeck.workspaces.RemoteStateConsumers("network-readers", {
  workspaceId: network.workspaceId,
  consumerIds: [apps.workspaceId],
});

new quarterdeck.workspaces.RegistryProvider("harbour", {
  registryName: "private",
  name: "harbour",
});

export const networkId = network.workspaceId;
