import * as quarterdeck from "pulumi-quarterdeck";

const exporter = new quarterdeck.scheduler.AclPolicy("metrics-exporter", {
  name: "metrics-exporter",
  rules: `agent {
  policy = "read"
}
`,
});

const token = new quarterdeck.scheduler.AclToken("metrics-exporter", {
  name: "metrics-exporter",
  type: "client",
  policies: [exporter.name],
});

export const secretId = token.secretId;
