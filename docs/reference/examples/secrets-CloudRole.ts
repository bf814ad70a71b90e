import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.CloudRole("deploy", {
  name: "deploy",
  credentialType: "assumed_role",
  roleArns: ["arn:aws:iam::123456789012:role/deploy"],
  defaultStsTtl: "15m",
  maxStsTtl: "1h",
});

new quarterdeck.secrets.CloudRole("reader", {
  name: "reader",
  credentialType: "iam_user",
  policyDocument: {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: "arn:aws:s3:::reports/*" }],
  },
  iamTags: { team: "platform" },
});
