import * as quarterdeck from "pulumi-quarterdeck";

const reader = new quarterdeck.secrets.DirectoryRole("reader", {
  roleName: "reader",
  creationLdif: [
    "dn: cn={{.Username}},ou=people,dc=example,dc=com",
    "changetype: add",
    "objectClass: person",
    "cn: {{.Username}}",
    "sn: {{.Username}}",
    "userPassword: {{.Password}}",
  ].join("\n"),
  deletionLdif: "dn: cn={{.Username}},ou=people,dc=example,dc=com\nchangetype: delete",
});

const account = new quarterdeck.secrets.DirectoryCredentials("report", { roleName: reader.roleName });

export const login = account.username;
export const password = account.password;
