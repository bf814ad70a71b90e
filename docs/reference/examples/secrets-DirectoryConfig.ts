import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

new quarterdeck.secrets.DirectoryConfig("directory", {
  binddn: "cn=quarterdeck,ou=services,dc=example,dc=com",
  bindpass: config.requireSecret("bindPassword"),
  url: ["ldaps://one.example.com", "ldaps://two.example.com"],
  schema: "openldap",
  userdn: "ou=people,dc=example,dc=com",
  passwordPolicy: "strong",
});
