import * as quarterdeck from "pulumi-quarterdeck";

const policy = new quarterdeck.mesh.AclPolicy("billing-writer", {
  name: "billing-writer",
  rules: `key_prefix "billing/" {
  policy = "write"
}
`,
});

// Tokens with this role have its policies, also after the role changes.
new quarterdeck.mesh.AclRole("billing", {
  name: "billing",
  description: "The billing service",
  policies: [policy.name],
  serviceIdentities: [{ serviceName: "billing" }],
});
