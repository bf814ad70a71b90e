import * as quarterdeck from "pulumi-quarterdeck";

const front = new quarterdeck.mesh.ApiGateway("front", {
  name: "front",
  spec: { listeners: [{ name: "postgres", port: 5432, protocol: "tcp" }] },
});

new quarterdeck.mesh.TcpRoute("postgres", {
  name: "postgres",
  spec: {
    parents: [{ kind: "api-gateway", name: front.name, sectionName: "postgres" }],
    services: [{ name: "postgres" }],
  },
});
