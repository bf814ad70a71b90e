import * as quarterdeck from "pulumi-quarterdeck";

const billing = new quarterdeck.workspaces.Workspace("billing", { name: "billing" });

new quarterdeck.workspaces.VariableSet("cloud-credentials", {
  name: "cloud-credentials",
  description: "Credentials of the billing account",
  workspaceIds: [billing.workspaceId],
});
