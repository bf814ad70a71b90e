import * as quarterdeck from "pulumi-quarterdeck";

const role = new quarterdeck.secrets.CloudStaticRole("backup", {
  name: "backup",
  username: "svc-backup",
  rotationPeriod: "24h",
});

const credentials = quarterdeck.secrets.getCloudStaticCredentialsOutput({ name: role.name });

export const accessKey = credentials.accessKey;
export const secretKey = credentials.secretKey;
