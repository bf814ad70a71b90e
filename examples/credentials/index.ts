import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();
const { secrets } = quarterdeck;

// The LDAP and AWS engines. Their own credentials are sent only when they change here, so a rotation by Vault is preserved.
const directory = new secrets.DirectoryConfig("directory", {
  binddn: "cn=quarterdeck,ou=services,dc=example,dc=com",
  bindpass: config.requireSecret("bindPassword"),
  url: ["ldaps://one.example.com", "ldaps://two.example.com"],
  userdn: "ou=people,dc=example,dc=com",
});
const cloud = new secrets.CloudRoot("cloud", {
  accessKey: config.require("cloudAccessKey"),
  secretKey: config.requireSecret("cloudSecretKey"),
  region: "eu-west-1",
});

// An LDAP user whose password is rotated every day, and a role that creates users for one hour.
const reports = new secrets.DirectoryStaticRole(
  "reports",
  { roleName: "reports", username: "svc-reports", rotationPeriod: "24h" },
  { dependsOn: directory },
);
const people = "ou=people,dc=example,dc=com";
new secrets.DirectoryRole(
  "reader",
  {
    roleName: "reader",
    creationLdif: [
      `dn: cn={{.Username}},${people}`,
      "changetype: add",
      "objectClass: person",
      "cn: {{.Username}}",
      "sn: {{.Username}}",
      "userPassword: {{.Password}}",
    ].join("\n"),
    deletionLdif: `dn: cn={{.Username}},${people}\nchangetype: delete`,
    rollbackLdif: `dn: cn={{.Username}},${people}\nchangetype: delete`,
    defaultTtl: "1h",
    maxTtl: "24h",
  },
  { dependsOn: directory },
);

// Shared LDAP accounts. One is checked out while the LibraryCheckOut resource exists, and for two hours at most.
const operators = new secrets.LibrarySet(
  "operators",
  { name: "operators", serviceAccountNames: ["svc-operator-1", "svc-operator-2"], ttl: "2h" },
  { dependsOn: directory },
);
const operator = new secrets.LibraryCheckOut("operator", { setName: operators.name });

// AWS: sessions for deployments, and a user for backups whose key is rotated every week.
new secrets.CloudRole(
  "deploy",
  {
    name: "deploy",
    credentialType: "assumed_role",
    roleArns: ["arn:aws:iam::123456789012:role/deploy"],
    defaultStsTtl: "15m",
    maxStsTtl: "1h",
  },
  { dependsOn: cloud },
);
const backup = new secrets.CloudStaticRole(
  "backup",
  { name: "backup", username: "svc-backup", rotationPeriod: "168h" },
  { dependsOn: cloud },
);

export const operatorName = operator.serviceAccountName;
export const operatorPassword = operator.password;
export const reportsPassword = secrets.getDirectoryStaticCredentialsOutput({
  roleName: reports.roleName,
}).password;
export const backupKey = secrets.getCloudStaticCredentialsOutput({ name: backup.name });
