import * as quarterdeck from "pulumi-quarterdeck";

const defaults = new quarterdeck.mesh.ConfigEntry("web", {
  kind: "service-defaults",
  name: "web",
  spec: { Protocol: "http" },
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
  { dependsOn: [defaults] },
);
