import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();
const environment = config.get("environment") ?? "staging";

// HCP Terraform: one workspace per layer. Higher layers can read the state of lower layers.
const layers = ["network", "data", "apps"].map(
  (layer) =>
    new quarterdeck.workspaces.Workspace(layer, {
      name: `${environment}-${layer}`,
      description: `The ${layer} layer of ${environment}`,
      executionMode: "remote",
      autoApply: environment !== "production",
      globalRemoteState: layer !== "apps",
      tagNames: ["platform", layer],
      tagBindings: { environment },
    }),
);

// Vault: a RabbitMQ role, and MFA for every login.
const consumer = new quarterdeck.secrets.QueueRole("orders-consumer", {
  name: "orders-consumer",
  tags: ["monitoring"],
  vhosts: { "/orders": { configure: "", write: "", read: "^orders\\." } },
});

const staff = new quarterdeck.secrets.MfaMethod("staff", {
  methodName: "staff",
  orgName: "acme",
  apiToken: config.requireSecret("identityProviderToken"),
  usernameFormat: "{{identity.entity.name}}@acme.example",
});

new quarterdeck.secrets.LoginEnforcement("everybody", {
  name: "everybody",
  mfaMethodIds: [staff.methodId],
  authMethodTypes: ["userpass", "ldap"],
});

// Consul: the protocol of the service, and its allowed callers.
const speaks = new quarterdeck.mesh.ConfigEntry("orders", {
  kind: "service-defaults",
  name: "orders",
  spec: { Protocol: "http", MaxInboundConnections: 1024 },
});

new quarterdeck.mesh.ConfigEntry(
  "orders-callers",
  {
    kind: "service-intentions",
    name: "orders",
    spec: {
      Sources: [
        { Name: "checkout", Action: "allow" },
        { Name: "*", Action: "deny" },
      ],
    },
  },
  { dependsOn: [speaks] },
);

// Nomad: the job of the service, with the name of its RabbitMQ role.
const job = JSON.parse(readFileSync(join(__dirname, "jobs/orders.json"), "utf8"));
const [group] = job.TaskGroups;
group.Count = config.getNumber("replicas") ?? 2;
group.Tasks[0].Env.QUEUE_ROLE = consumer.name;

const orders = new quarterdeck.scheduler.Job("orders", { json: job, purge: true }, { dependsOn: [speaks] });

export const workspaceIds = layers.map(({ workspaceId }) => workspaceId);
export const jobIndex = orders.jobModifyIndex;
