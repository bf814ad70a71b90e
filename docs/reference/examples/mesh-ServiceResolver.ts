import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.ServiceResolver("web", {
  name: "web",
  spec: {
    connectTimeout: "15s",
    defaultSubset: "v1",
    subsets: {
      v1: { filter: "Service.Meta.version == v1" },
      v2: { filter: "Service.Meta.version == v2", onlyPassing: true },
    },
  },
});
