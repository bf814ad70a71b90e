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

// A repository connected with the GitHub App of HCP Terraform instead of an OAuth token.
new quarterdeck.workspaces.Workspace("docs", {
  organization: "harbour",
  name: "docs",
  vcsRepo: { identifier: "harbour/docs", githubAppInstallationId: "ghain-BYrbNeGQ8nAzKouu" },
});

export const id = network.workspaceId;
