import * as quarterdeck from "pulumi-quarterdeck";

// An HTTP listener can only route to services with an HTTP protocol.
const web = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });

new quarterdeck.mesh.IngressGateway(
  "edge",
  {
    name: "edge",
    spec: {
      tls: { enabled: true, tlsMinVersion: "TLSv1_2" },
      listeners: [{ port: 8080, protocol: "http", services: [{ name: "web", hosts: ["web.example.com"] }] }],
    },
  },
  { dependsOn: [web] },
);
