import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.DirectoryStaticRole("reports", {
  roleName: "reports",
  username: "svc-reports",
  dn: "cn=svc-reports,ou=services,dc=example,dc=com",
  rotationPeriod: "24h",
});
