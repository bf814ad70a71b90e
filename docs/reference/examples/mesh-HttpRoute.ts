import * as quarterdeck from "pulumi-quarterdeck";

const web = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });

const front = new quarterdeck.mesh.ApiGateway("front", {
  name: "front",
  spec: { listeners: [{ name: "web", port: 8080, protocol: "http" }] },
});

new quarterdeck.mesh.HttpRoute(
  "web",
  {
    name: "web",
    spec: {
      parents: [{ name: front.name, sectionName: "web" }],
      hostnames: ["web.example.com"],
      rules: [
        {
          matches: [{ path: { match: "prefix", value: "/api" } }],
          filters: { timeoutFilter: { requestTimeout: "15s" } },
          services: [{ name: "web" }],
        },
      ],
    },
  },
  { dependsOn: [web] },
);
