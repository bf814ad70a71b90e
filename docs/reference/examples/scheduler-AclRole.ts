import * as quarterdeck from "pulumi-quarterdeck";

const reader = new quarterdeck.scheduler.AclPolicy("shop-reader", {
  name: "shop-reader",
  rules: `namespace "shop" {
  policy = "read"
}
`,
});

// Tokens with this role have its policies, also after the role changes.
new quarterdeck.scheduler.AclRole("shop", {
  name: "shop",
  description: "Reads the shop",
  policies: [reader.name],
});
