import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", { name: "network" });
const shop = new quarterdeck.workspaces.Workspace("shop", { name: "shop" });

// Runs of the shop workspace may read the network's state. Consumers that others authorize are kept.
new quarterdeck.workspaces.RemoteStateConsumers("network-readers", {
  workspaceId: network.workspaceId,
  consumerIds: [shop.workspaceId],
});
