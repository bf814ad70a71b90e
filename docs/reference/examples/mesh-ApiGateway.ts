import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.ApiGateway("front", {
  name: "front",
  spec: {
    listeners: [
      { name: "web", port: 8080, protocol: "http", hostname: "*.example.com" },
      { name: "postgres", port: 5432, protocol: "tcp" },
    ],
  },
});
