import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

new quarterdeck.secrets.CloudRoot("cloud", {
  accessKey: config.require("cloudAccessKey"),
  secretKey: config.requireSecret("cloudSecretKey"),
  region: "eu-west-1",
  usernameTemplate: '{{ printf "v-%s-%s" .DisplayName (random 20) | truncate 32 }}',
});
