import * as quarterdeck from "pulumi-quarterdeck";

const shop = new quarterdeck.scheduler.Namespace("shop", {
  name: "shop",
  description: "Jobs of the web shop",
  meta: { owner: "shop-team" },
  capabilities: { enabledTaskDrivers: ["docker", "exec"], disabledNetworkModes: ["host"] },
});

// The job uses the namespace's output, so that the job is deleted first.
new quarterdeck.scheduler.Job("web", {
  namespace: shop.name,
  spec: {
    id: "web",
    taskGroups: [
      {
        name: "front",
        tasks: [{ name: "server", driver: "docker", config: { image: "registry.example.com/web:1.4.2" } }],
      },
    ],
  },
  purge: true,
});
