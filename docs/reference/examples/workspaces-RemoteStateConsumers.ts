import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", { name: "network" });
const shop = new quarterdeck.workspaces.Workspace("shop", { name: "shop" });

// Runs of the shop may read the network's state; whom others authorise stays authorised.
new quarterdeck.workspaces.RemoteStateConsumers("network-readers", {
  workspaceId: network.workspaceId,
  consumerIds: [shop.workspaceId],
});
