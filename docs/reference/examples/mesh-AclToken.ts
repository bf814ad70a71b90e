import * as quarterdeck from "pulumi-quarterdeck";

const policy = new quarterdeck.mesh.AclPolicy("payments-reader", {
  name: "payments-reader",
  rules: `key_prefix "payments/" {
  policy = "read"
}
`,
});

const token = new quarterdeck.mesh.AclToken("payments", {
  accessorId: "0b7d1f8e-52c4-4f0b-9a51-7f6f3a1d2c90",
  description: "The payments service",
  policies: [policy.name],
  serviceIdentities: [{ serviceName: "payments" }],
});

export const secretId = token.secretId;
