import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const method = new quarterdeck.secrets.MfaMethod("staff", {
  methodName: "staff",
  orgName: "harbour",
  apiToken: config.requireSecret("identityProviderToken"),
});

new quarterdeck.secrets.LoginEnforcement("operators", {
  name: "operators",
  mfaMethodIds: [method.methodId],
  authMethodTypes: ["userpass"],
});
