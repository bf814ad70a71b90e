import * as quarterdeck from "pulumi-quarterdeck";

const reports = new quarterdeck.secrets.DirectoryStaticRole("reports", {
  roleName: "reports",
  username: "svc-reports",
  dn: "cn=svc-reports,ou=services,dc=example,dc=com",
  rotationPeriod: "24h",
});

new quarterdeck.secrets.DirectoryRoleRotation("after-the-incident", {
  roleName: reports.roleName,
  triggers: ["incident 4711"],
});
