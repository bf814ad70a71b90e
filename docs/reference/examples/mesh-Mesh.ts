import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.Mesh("mesh", {
  spec: {
    transparentProxy: { meshDestinationsOnly: true },
    tls: { incoming: { tlsMinVersion: "TLSv1_2" } },
  },
});
