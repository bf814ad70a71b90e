import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

new quarterdeck.secrets.QueueConnection("broker", {
  connectionUri: "https://broker.example.com:15671",
  username: "secrets-service",
  password: config.requireSecret("brokerPassword"),
});
