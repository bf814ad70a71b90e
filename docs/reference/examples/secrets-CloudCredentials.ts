import * as quarterdeck from "pulumi-quarterdeck";

const deploy = new quarterdeck.secrets.CloudRole("deploy", {
  name: "deploy",
  credentialType: "assumed_role",
  roleArns: ["arn:aws:iam::123456789012:role/deploy"],
});

const keys = new quarterdeck.secrets.CloudCredentials("deploy", {
  name: deploy.name,
  endpoint: "sts",
  ttl: "1h",
});

export const session = keys.sessionToken;
export const ends = keys.leaseEnds;
