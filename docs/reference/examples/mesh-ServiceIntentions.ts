import * as quarterdeck from "pulumi-quarterdeck";

// Permissions by path need a service with an HTTP protocol.
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
