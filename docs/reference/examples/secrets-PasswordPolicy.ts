import * as quarterdeck from "pulumi-quarterdeck";

// An LDAP secrets engine generates its passwords by this policy if its DirectoryConfig has `passwordPolicy: strong.name`.
const strong = new quarterdeck.secrets.PasswordPolicy("strong", {
  name: "strong",
  policy: `length = 32

rule "charset" {
  charset   = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
  min-chars = 1
}
`,
});

export const passwordPolicy = strong.name;
