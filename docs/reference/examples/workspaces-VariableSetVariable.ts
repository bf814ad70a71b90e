import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const credentials = new quarterdeck.workspaces.VariableSet("cloud-credentials", {
  name: "cloud-credentials",
});

const region = new quarterdeck.workspaces.VariableSetVariable("cloud-region", {
  variableSetId: credentials.variableSetId,
  key: "AWS_REGION",
  value: "eu-west-1",
  category: "env",
});

const secretKey = new quarterdeck.workspaces.VariableSetVariable("cloud-secret-key", {
  variableSetId: credentials.variableSetId,
  key: "AWS_SECRET_ACCESS_KEY",
  sensitiveValue: config.requireSecret("cloudSecretKey"),
  category: "env",
  sensitive: true,
});

export const regionVariableId = region.variableId;
export const secretKeyVariableId = secretKey.variableId;
