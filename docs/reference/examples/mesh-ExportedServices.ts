import * as quarterdeck from "pulumi-quarterdeck";

// Its name is that of the partition whose services it shares; the community edition has this one only.
new quarterdeck.mesh.ExportedServices("shared", {
  name: "default",
  spec: { services: [{ name: "web", consumers: [{ peer: "east" }] }] },
});
