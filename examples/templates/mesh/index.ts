import * as quarterdeck from "pulumi-quarterdeck";

const web = new quarterdeck.mesh.ServiceDefaults("web", {
  name: "web",
  spec: { protocol: "http" },
});

const subsets = new quarterdeck.mesh.ServiceResolver(
  "web-subsets",
  {
    name: "web",
    spec: {
      defaultSubset: "v1",
      subsets: {
        v1: { filter: "Service.Meta.version == v1" },
        v2: { filter: "Service.Meta.version == v2" },
      },
    },
  },
  { dependsOn: web },
);

new quarterdeck.mesh.ServiceSplitter(
  "web-split",
  {
    name: "web",
    spec: {
      splits: [
        { weight: 90, serviceSubset: "v1" },
        { weight: 10, serviceSubset: "v2" },
      ],
    },
  },
  { dependsOn: subsets },
);

new quarterdeck.mesh.ServiceIntentions(
  "web-callers",
  {
    name: "web",
    spec: {
      sources: [
        { name: "checkout", action: "allow" },
        { name: "*", action: "deny" },
      ],
    },
  },
  { dependsOn: web },
);

export const index = web.modifyIndex;
