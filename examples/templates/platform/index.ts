import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

// HCP Terraform or Terraform Enterprise: the workspace of the network.
const network = new quarterdeck.workspaces.Workspace("network", {
  name: "network-staging",
  description: "The network of staging",
  executionMode: "remote",
  tagBindings: { environment: "staging" },
});

// Vault or OpenBao: the role that issues RabbitMQ credentials to the service.
const reader = new quarterdeck.secrets.QueueRole("orders-reader", {
  name: "orders-reader",
  vhosts: { "/": { configure: "", write: "", read: "^orders\\." } },
});

// Consul: the protocol of the service, and its allowed callers.
const speaks = new quarterdeck.mesh.ServiceDefaults("orders", {
  name: "orders",
  spec: { protocol: "http" },
});
new quarterdeck.mesh.ServiceIntentions(
  "orders-callers",
  {
    name: "orders",
    spec: {
      sources: [
        { name: "checkout", action: "allow" },
        { name: "*", action: "deny" },
      ],
    },
  },
  { dependsOn: speaks },
);

// Nomad: the job of the service.
const orders = new quarterdeck.scheduler.Job(
  "orders",
  {
    spec: {
      id: "orders",
      datacenters: ["*"],
      taskGroups: [
        {
          name: "api",
          count: config.getNumber("count") ?? 1,
          tasks: [
            {
              name: "server",
              driver: "docker",
              config: { image: "busybox:1", args: ["httpd", "-f", "-p", "8080"] },
              env: { QUEUE_ROLE: reader.name },
              resources: { cpu: 100, memoryMB: 64 },
            },
          ],
        },
      ],
    },
  },
  { dependsOn: speaks },
);

export const networkId = network.workspaceId;
export const index = orders.jobModifyIndex;
