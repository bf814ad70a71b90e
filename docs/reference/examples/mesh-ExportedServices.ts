import * as quarterdeck from "pulumi-quarterdeck";

// The name is the partition that exports the services. Consul Community Edition has only "default".
new quarterdeck.mesh.ExportedServices("shared", {
  name: "default",
  spec: { services: [{ name: "web", consumers: [{ peer: "east" }] }] },
});
