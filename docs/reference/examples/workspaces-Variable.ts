import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const network = new quarterdeck.workspaces.Workspace("network", { name: "network" });

new quarterdeck.workspaces.Variable("zones", {
  workspaceId: network.workspaceId,
  key: "zones",
  category: "terraform",
  value: '["eu-west-1a", "eu-west-1b"]',
  hcl: true,
});

// The server never returns this value. Quarterdeck updates it if the program's value changes.
new quarterdeck.workspaces.Variable("cloud-token", {
  workspaceId: network.workspaceId,
  key: "CLOUD_TOKEN",
  category: "env",
  sensitive: true,
  sensitiveValue: config.requireSecret("cloudToken"),
  description: "Token of the cloud provider",
});
