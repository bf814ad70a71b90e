import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.DirectoryRole("reader", {
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
  rollbackLdif: "dn: cn={{.Username}},ou=people,dc=example,dc=com\nchangetype: delete",
  usernameTemplate: "v_{{.RoleName}}_{{random 8}}",
  defaultTtl: "1h",
  maxTtl: "24h",
});
