import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const github = new quarterdeck.workspaces.OauthClient("github", {
  name: "github",
  serviceProvider: "github",
  httpUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  oauthTokenString: config.requireSecret("githubToken"),
});

new quarterdeck.workspaces.Workspace("storefront", {
  name: "storefront",
  vcsRepo: { identifier: "acme/storefront", oauthTokenId: github.oauthTokenId },
});
