import * as quarterdeck from "pulumi-quarterdeck";

// Permissions by path are for services that speak HTTP.
const web = new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });

new quarterdeck.mesh.ServiceIntentions(
  "web-callers",
  {
    name: "web",
    spec: {
      sources: [
        {
          name: "shop",
          permissions: [{ action: "allow", http: { pathPrefix: "/api", methods: ["GET", "POST"] } }],
        },
        { name: "backup", action: "allow" },
        { name: "*", action: "deny" },
      ],
    },
  },
  { dependsOn: [web] },
);
