import * as quarterdeck from "pulumi-quarterdeck";

// A router needs services with an HTTP protocol.
const web = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
const admin = new quarterdeck.mesh.ServiceDefaults("admin", { name: "admin", spec: { protocol: "http" } });

new quarterdeck.mesh.ServiceRouter(
  "web-routes",
  {
    name: "web",
    spec: {
      routes: [
        {
          match: { http: { pathPrefix: "/admin" } },
          destination: {
            service: "admin",
            requestTimeout: "10s",
            numRetries: 2,
            retryOnConnectFailure: true,
          },
        },
      ],
    },
  },
  { dependsOn: [web, admin] },
);
