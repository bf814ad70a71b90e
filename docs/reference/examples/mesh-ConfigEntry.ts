import * as quarterdeck from "pulumi-quarterdeck";

const defaults = new quarterdeck.mesh.ConfigEntry("web", {
  kind: "service-defaults",
  name: "web",
  spec: { Protocol: "http" },
});

// The subsets of a splitter must exist first.
const subsets = new quarterdeck.mesh.ConfigEntry("web-subsets", {
  kind: "service-resolver",
  name: "web",
  spec: {
    Subsets: {
      v1: { Filter: "Service.Meta.version == v1" },
      v2: { Filter: "Service.Meta.version == v2" },
    },
  },
});

new quarterdeck.mesh.ConfigEntry(
  "web-split",
  {
    kind: "service-splitter",
    name: "web",
    spec: {
      Splits: [
        { Weight: 90, ServiceSubset: "v1" },
        { Weight: 10, ServiceSubset: "v2" },
      ],
    },
  },
  { dependsOn: [defaults, subsets] },
);
