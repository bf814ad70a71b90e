import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const strong = new quarterdeck.secrets.PasswordPolicy("strong", {
  name: "strong",
  policy: `length = 32

rule "charset" {
  charset   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
  min-chars = 1
}
`,
});

// The LDAP secrets engine generates its passwords by this policy.
new quarterdeck.secrets.DirectoryConfig("directory", {
  binddn: "cn=quarterdeck,ou=services,dc=example,dc=com",
  bindpass: config.requireSecret("bindPassword"),
  url: ["ldaps://one.example.com"],
  schema: "openldap",
  userdn: "ou=people,dc=example,dc=com",
  passwordPolicy: strong.name,
});
