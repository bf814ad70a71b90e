import * as quarterdeck from "pulumi-quarterdeck";

const network = new quarterdeck.workspaces.Workspace("network", {
  organization: "harbour",
  name: "network-production",
  autoApply: true,
  executionMode: "remote",
  vcsRepo: { identifier: "harbour/network", oauthTokenId: "ot-hmAyP66qk2AMVdbJ" },
  triggerPatterns: ["modules/**/*", "production/**/*"],
  tagBindings: { environment: "production" },
});

export const id = network.workspaceId;
