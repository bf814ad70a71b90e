import * as quarterdeck from "pulumi-quarterdeck";

const keys = new quarterdeck.secrets.CloudCredentials("deploy", {
  name: "deploy",
  endpoint: "sts",
  ttl: "1h",
});

export const session = keys.sessionToken;
export const ends = keys.leaseEnds;
