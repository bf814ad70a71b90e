import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", { name: "network" });
const shop = new quarterdeck.workspaces.Workspace("shop", { name: "shop" });

// Runs of the shop workspace can read the network's state. Consumers added by others keep their access.
new quarterdeck.workspaces.RemoteStateConsumers("network-readers", {
  workspaceId: network.workspaceId,
  consumerIds: [shop.workspaceId],
});
