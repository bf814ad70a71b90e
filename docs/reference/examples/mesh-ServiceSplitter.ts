import * as quarterdeck from "pulumi-quarterdeck";

// A splitter needs a service with an HTTP protocol, and its subsets must exist first.
const defaults = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
const subsets = new quarterdeck.mesh.ServiceResolver("web-subsets", {
  name: "web",
  spec: {
    subsets: {
      v1: { filter: "Service.Meta.version == v1" },
      v2: { filter: "Service.Meta.version == v2" },
    },
  },
});

new quarterdeck.mesh.ServiceSplitter(
  "web-split",
  {
    name: "web",
    spec: {
      splits: [
        { weight: 90, serviceSubset: "v1" },
        { weight: 10, serviceSubset: "v2", responseHeaders: { set: { "x-version": "v2" } } },
      ],
    },
  },
  { dependsOn: [defaults, subsets] },
);
