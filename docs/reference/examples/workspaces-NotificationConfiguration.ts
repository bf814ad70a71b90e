import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const payments = new quarterdeck.workspaces.Workspace("payments", { name: "payments-live" });

// HCP Terraform sends a test message to the URL before it stores an enabled configuration.
new quarterdeck.workspaces.NotificationConfiguration("payments-chat", {
  workspaceId: payments.workspaceId,
  name: "chat",
  destinationType: "slack",
  url: config.requireSecret("chatWebhook"),
  enabled: true,
  triggers: ["run:needs_attention", "run:errored"],
});
