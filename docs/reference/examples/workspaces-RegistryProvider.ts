import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.workspaces.RegistryProvider("random", {
  registryName: "public",
  namespace: "hashicorp",
  name: "random",
});

new quarterdeck.workspaces.RegistryProvider("ours", { registryName: "private", name: "platform" });
