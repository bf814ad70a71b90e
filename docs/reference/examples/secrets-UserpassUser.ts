import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const people = new quarterdeck.secrets.AuthMethod("people", { path: "people", type: "userpass" });

new quarterdeck.secrets.UserpassUser("alice", {
  authMount: people.path,
  username: "alice",
  password: config.requireSecret("alicePassword"),
  tokenPolicies: ["orders"],
  tokenTtl: "1h",
});
