import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const method = new quarterdeck.secrets.MfaMethod("staff", {
  methodName: "staff",
  orgName: "harbour",
  apiToken: config.requireSecret("identityProviderToken"),
  usernameFormat: "{{identity.entity.name}}@harbour.example.com",
});

export const methodId = method.methodId;
