import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const submodules = new quarterdeck.workspaces.SshKey("submodules", {
  name: "submodules",
  value: config.requireSecret("submodulesKey"),
});

new quarterdeck.workspaces.Workspace("network", { name: "network", sshKeyId: submodules.sshKeyId });
